import type { AuthorizationCodeTable, OauthDb, OauthTx } from './tables.ts'

export const insertCode = (db: OauthDb, code: Omit<AuthorizationCodeTable, 'family_id'>) =>
  db
    .insertInto('authorization_code')
    .values({ ...code, family_id: null })
    .execute()

/** Locked: of two concurrent redemptions, the second sees the code redeemed. */
export const lockCode = (tx: OauthTx, codeHash: string) =>
  tx.selectFrom('authorization_code').selectAll().where('code_hash', '=', codeHash).forUpdate().executeTakeFirst()

export const redeemCode = (tx: OauthTx, codeHash: string, familyId: string) =>
  tx.updateTable('authorization_code').set({ family_id: familyId }).where('code_hash', '=', codeHash).execute()

/** Removes codes that ended before a given time; until then, repeating a redeemed one ends its family. */
export const sweepCodes = (db: OauthDb, endedBefore: Date) =>
  db.deleteFrom('authorization_code').where('expires_at', '<', endedBefore).execute()
