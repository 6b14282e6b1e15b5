import type { ClientMetadata, Scope } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address } from '@callboard/values'
import type { Generated } from 'kysely'

export interface AccountTable {
  owner: Address
  /** Rises with each revocation; introspections made under a lower one are void. */
  epoch: Generated<number>
  created_at: Date
  /** What its owner's signatures were checked against; null if an earlier release opened it. */
  proved_by: 'key' | 'contract' | null
  /** The chain of the owner's contract; null for a key. */
  chain_id: number | null
}

export interface SessionTable {
  token_hash: string
  id: string
  owner: Address
  created_at: Date
  last_seen_at: Date
  /** Where it was opened from, as seen at the edge; null if an earlier release opened it. */
  address: string | null
  user_agent: string | null
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

export type DecidedState = 'pending' | 'approved' | 'denied' | 'redeemed'

export interface DeviceGrantTable {
  id: string
  device_code_hash: string
  /** Only set if an earlier release began it. */
  user_code: string | null
  user_code_hash: string | null
  client_id: string
  scopes: Scope[]
  /** The X25519 key derived from the device code. */
  sealing_key: string
  state: DecidedState
  created_at: Date
  expires_at: Date
  interval_seconds: number
  /** The last poll that was not too early. */
  polled_at: Date | null
  family_id: string | null
  /** For the token answer, readable only with the device code. */
  sealed: string | null
  router_unavailable: boolean
}

export interface TokenFamilyTable {
  id: string
  client_id: string
  owner: Address
  scopes: Scope[]
  /** The resource that its tokens are for (RFC 8707). */
  audience: string
  /** Where its first code was sent; null for agents, for sessions, and if an earlier release began it. */
  redirect_uri: string | null
  created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
  revoked_because: string | null
}

export interface AccessTokenTable {
  token_hash: string
  family_id: string
  scopes: Scope[]
  audience: string
  expires_at: Date
}

export interface RefreshTokenTable {
  token_hash: string
  family_id: string
  issued_at: Date
  expires_at: Date
  used_at: Date | null
  /** The answer to its use, readable only with the token. */
  answer: string | null
}

/** A client that is registered or known by its metadata document. Agents are clients by construction, without a row. */
export interface ClientTable {
  id: string
  /** Null for a public client. */
  secret_hash: string | null
  /** Null if a metadata document replaces the registration. */
  registration_token_hash: string | null
  metadata: ClientMetadata
  created_at: Date
  last_used_at: Date | null
  /** When the read of its metadata document began; null for a registered client. */
  fetched_at: Date | null
  /** How long the document may be used without reading it again. */
  fresh_until: Date | null
  /** The network from which it registered. */
  registered_from: string | null
}

export interface AuthorizationCodeTable {
  code_hash: string
  client_id: string
  owner: Address
  redirect_uri: string
  /** SHA-256 of the verifier, base64url (RFC 7636). */
  code_challenge: string
  scopes: Scope[]
  audience: string
  /** Whether its owner was told that the client refreshes its tokens; a client may change its metadata later. */
  refreshes: boolean
  expires_at: Date
  /** The family for which it was redeemed; null until then. */
  family_id: string | null
}

export interface OauthTables {
  client: ClientTable
  authorization_code: AuthorizationCodeTable
  device_grant: DeviceGrantTable
  token_family: TokenFamilyTable
  access_token: AccessTokenTable
  refresh_token: RefreshTokenTable
  account: AccountTable
  session: SessionTable
  api_key: ApiKeyTable
}

export type OauthDb = Db<OauthTables>
export type OauthTx = Tx<OauthTables>
