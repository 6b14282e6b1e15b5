import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { OauthDb, OauthTx } from './tables.ts'

/** Makes sure that an owner has an account; the first sign-in opens it. @returns whether this call opened it */
export async function openAccount(tx: OauthTx, owner: Address, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account')
    .values({ owner, created_at: now, proved_by: null, chain_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** @param how `locked`: serializes rulings on one account; needs a transaction */
export const accountOf = (db: OauthDb, owner: Address, how?: 'locked') =>
  db
    .selectFrom('account')
    .selectAll()
    .where('owner', '=', owner)
    .$if(how === 'locked', (query) => query.forUpdate())
    .executeTakeFirst()

/** Records what an owner's signatures are proved by. */
export const proveAccount = (
  tx: OauthTx,
  owner: Address,
  known: { readonly by: 'key' } | { readonly by: 'contract'; readonly chainId: number },
) =>
  tx
    .updateTable('account')
    .set({ proved_by: known.by, chain_id: known.by === 'contract' ? known.chainId : null })
    .where('owner', '=', owner)
    .execute()

/** Locks the account row, so that an owner's revocations and key limits are handled one after another. */
export const lockAccount = (tx: OauthTx, owner: Address) =>
  tx.selectFrom('account').selectAll().where('owner', '=', owner).forUpdate().executeTakeFirst()

/** Voids all earlier introspections. @returns the new epoch */
export async function raiseEpoch(tx: OauthTx, owner: Address): Promise<number> {
  const { epoch } = await tx
    .updateTable('account')
    .set({ epoch: sql<number>`epoch + 1` })
    .where('owner', '=', owner)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  return epoch
}

export const epochOf = async (db: OauthDb, owner: Address): Promise<number | undefined> =>
  (await db.selectFrom('account').select('epoch').where('owner', '=', owner).executeTakeFirst())?.epoch
