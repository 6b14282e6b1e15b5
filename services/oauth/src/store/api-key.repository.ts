import type { Address } from '@callboard/values'
import type { ApiKeyTable, OauthDb, OauthTx } from './tables.ts'

export const insertKey = (tx: OauthTx, key: ApiKeyTable) => tx.insertInto('api_key').values(key).execute()

export const activeKeys = (db: OauthDb, owner: Address) =>
  db
    .selectFrom('api_key')
    .selectAll()
    .where('owner', '=', owner)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** An active key with its owner's epoch, by the hash of its value. */
export const findKey = (db: OauthDb, keyHash: string) =>
  db
    .selectFrom('api_key')
    .innerJoin('account', 'account.owner', 'api_key.owner')
    .select(['api_key.id', 'api_key.owner', 'api_key.last_used_at', 'account.epoch'])
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

/** Notes that a key was used, at most once a minute. */
export const touchKey = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', notSince)]))
    .execute()

/** Revokes a key of this owner. @returns false when there is no such key, whether revoked or not */
export async function revokeKey(tx: OauthTx, owner: Address, id: string, now: Date): Promise<boolean> {
  const key = await tx
    .selectFrom('api_key')
    .select('id')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst()
  if (!key) return false
  await tx
    .updateTable('api_key')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}
