import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { OauthDb, OauthTx } from './tables.ts'

/** Makes sure that an owner has an account; the first sign-in opens it. */
export const openAccount = (tx: OauthTx, owner: Address, now: Date) =>
  tx
    .insertInto('account')
    .values({ owner, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** The account row, locked: revocations and key limits of one owner happen one after another. */
export const lockAccount = (tx: OauthTx, owner: Address) =>
  tx.selectFrom('account').selectAll().where('owner', '=', owner).forUpdate().executeTakeFirst()

/** Voids every introspection made so far. @returns the new epoch */
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
