import { statement } from '@callboard/store'
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

export type FoundKey = Pick<ApiKeyTable, 'id' | 'owner' | 'last_used_at'> & { readonly epoch: number }

/** Active keys with their owners' epochs, by the hashes of their values. */
export async function findKeys(db: OauthDb, keyHashes: readonly string[]) {
  const { rows } = await statement<FoundKey & { readonly hash: string }>`
    select key_hash as hash, api_key.id, api_key.owner, api_key.last_used_at, account.epoch
      from api_key
      join account on account.owner = api_key.owner
     where key_hash = any(${keyHashes}) and revoked_at is null`.execute(db)
  return rows
}

/** Records a key's use, at most once a minute. */
export const touchKey = (db: OauthDb, id: string, now: Date, notSince: Date) =>
  db
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', notSince)]))
    .execute()

/** Revokes a key of this owner. @returns false if there is no such key, revoked or not */
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
