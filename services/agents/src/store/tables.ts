import type { agentRevoked, DataOf, RelayPurpose, Scope } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address } from '@callboard/values'

export type EndedBy = DataOf<typeof agentRevoked>['by']

export interface LinkRequestTable {
  grant_id: string
  /** Proven by its signature; what follows, to the user agent, is only claimed or seen. */
  wallet: Address
  label: string
  device: string | null
  asks_for_trust: boolean
  suggested_allowance_usd: string | null
  address: string
  user_agent: string | null
  asked_at: Date
  expires_at: Date
}

export interface LinkTable {
  /** Also the id of its token family. */
  id: string
  grant_id: string
  owner: Address
  client_id: string
  wallet: Address
  label: string
  device: string | null
  /** The owner's decision makes its device a trusted one. */
  trusts_device: boolean
  scopes: Scope[]
  allowance_usd: string
  /** When the Router was about to be asked for another allowance, or was last held to this one; null while it surely has this one. */
  allowance_asked_at: Date | null
  /** The Router was asked for a key, and did not surely make none. */
  may_have_key: boolean
  state: 'approving' | 'live' | 'ending' | 'over'
  linked_at: Date
  /** When a process last began to settle it, while it is `approving` or `ending`. */
  attempted_at: Date
  ended_at: Date | null
  ended_by: EndedBy | null
  /** Null where a release before approved it, which did not say. */
  approved_by: 'owner' | 'trusted_device' | null
  /** The session in which its owner approved it; null where none did, or a release before. */
  session_id: string | null
  /** The link whose token asked for one that was approved without asking; it is in force as long as this one is. */
  parent_id: string | null
  /** When the owner acknowledged a link that was approved without asking. */
  seen_at: Date | null
}

export interface DeviceTrustTable {
  owner: Address
  device: string
  scopes: Scope[]
  allowance_usd: string
  since: Date
}

/** What an agent stored of its device. No service here has a key that opens it. */
export interface BackupTable {
  owner: Address
  device: string
  version: 1
  /** SHA-256 of the public key that it is encrypted to. */
  recipient: string
  /** The encapsulated key. */
  enc: string
  ciphertext: Buffer
  /** Of the ciphertext, base64url. */
  sha256: string
  /** The client id of the agent. */
  stored_by: string
  stored_at: Date
}

export interface RelayTable {
  /** SHA-256 of the code, hexadecimal. The code itself is nowhere. */
  code_hash: string
  public_key: string
  /** Only claimed, as the purpose is; what follows was seen. */
  device: string
  purpose: RelayPurpose
  address: string
  user_agent: string | null
  created_at: Date
  expires_at: Date
  /** Who opened it first. */
  owner: Address | null
  /** The sealed result: there from `sealed_at` until `read_at`. */
  version: 1 | null
  enc: string | null
  ciphertext: Buffer | null
  sealed_at: Date | null
  read_at: Date | null
}

export interface AgentsTables {
  link_request: LinkRequestTable
  owner: { owner: Address }
  link: LinkTable
  device_trust: DeviceTrustTable
  backup: BackupTable
  relay: RelayTable
}

export type AgentsDb = Db<AgentsTables>
export type AgentsTx = Tx<AgentsTables>
