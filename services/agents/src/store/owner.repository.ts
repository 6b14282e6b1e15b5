import type { Address } from '@callboard/values'
import type { AgentsTx } from './tables.ts'

/** Creates an owner's row if it is missing and locks it, so that decisions of one owner are serialized. */
export async function lockOwner(tx: AgentsTx, owner: Address): Promise<void> {
  await tx
    .insertInto('owner')
    .values({ owner })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('owner').selectAll().where('owner', '=', owner).forUpdate().execute()
}
