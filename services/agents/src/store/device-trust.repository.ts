import type { Address } from '@callboard/values'
import type { AgentsDb, AgentsTx, DeviceTrustTable } from './tables.ts'

export const trustOf = (db: AgentsDb, owner: Address, device: string) =>
  db.selectFrom('device_trust').selectAll().where('owner', '=', owner).where('device', '=', device).executeTakeFirst()

export const trustsOf = (db: AgentsDb, owner: Address) =>
  db.selectFrom('device_trust').selectAll().where('owner', '=', owner).execute()

/** The newest decision about a device is the one that counts. */
export const putTrust = (tx: AgentsTx, { owner, device, ...terms }: DeviceTrustTable) =>
  tx
    .insertInto('device_trust')
    .values({ owner, device, ...terms })
    .onConflict((conflict) => conflict.columns(['owner', 'device']).doUpdateSet(terms))
    .execute()

export const deleteTrust = (tx: AgentsTx, owner: Address, device: string) =>
  tx.deleteFrom('device_trust').where('owner', '=', owner).where('device', '=', device).execute()
