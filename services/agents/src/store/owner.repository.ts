import type { Address } from '@callboard/values'
import type { AgentsTx } from './tables.ts'

/** The owner's row, made when it is missing, and locked: decisions of one owner come one after another. */
export async function lockOwner(tx: AgentsTx, owner: Address): Promise<void> {
  await tx
    .insertInto('owner')
    .values({ owner })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('owner').selectAll().where('owner', '=', owner).forUpdate().execute()
}
