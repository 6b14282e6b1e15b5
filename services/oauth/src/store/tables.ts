import type { Db, Tx } from '@callboard/store'
import type { Address } from '@callboard/values'
import type { Generated } from 'kysely'

export interface AccountTable {
  owner: Address
  /** Rises with every revocation; introspections made under a lower one are void. */
  epoch: Generated<number>
  created_at: Date
}

export interface SessionTable {
  token_hash: string
  id: string
  owner: Address
  created_at: Date
  last_seen_at: Date
}

export interface ApiKeyTable {
  id: string
  owner: Address
  label: string
  prefix: string
  key_hash: string
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

export interface OauthTables {
  account: AccountTable
  session: SessionTable
  api_key: ApiKeyTable
}

export type OauthDb = Db<OauthTables>
export type OauthTx = Tx<OauthTables>
