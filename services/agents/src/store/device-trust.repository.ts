import type { Address } from '@callboard/values'
import type { AgentsDb, AgentsTx, DeviceTrustTable } from './tables.ts'

export const trustOf = (db: AgentsDb, owner: Address, device: string) =>
  db.selectFrom('device_trust').selectAll().where('owner', '=', owner).where('device', '=', device).executeTakeFirst()

export const trustsOf = (db: AgentsDb, owner: Address) =>
  db.selectFrom('device_trust').selectAll().where('owner', '=', owner).execute()

/** The latest decision about a device counts, in whatever order decisions are written down. */
export const putTrust = (tx: AgentsTx, { owner, device, ...terms }: DeviceTrustTable) =>
  tx
    .insertInto('device_trust')
    .values({ owner, device, ...terms })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'device']).doUpdateSet(terms).where('device_trust.since', '<=', terms.since),
    )
    .execute()

/** Ends a trust, and withdraws it from approvals under way, which were decided before. */
export async function endTrust(tx: AgentsTx, owner: Address, device: string): Promise<void> {
  await tx.deleteFrom('device_trust').where('owner', '=', owner).where('device', '=', device).execute()
  await tx
    .updateTable('link')
    .set({ trusts_device: false })
    .where('owner', '=', owner)
    .where('device', '=', device)
    .where('state', '=', 'approving')
    .where('trusts_device', '=', true)
    .execute()
}
