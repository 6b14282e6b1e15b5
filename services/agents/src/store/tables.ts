import type { agentRevoked, DataOf, RelayPurpose, Scope } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address } from '@callboard/values'

export type EndedBy = DataOf<typeof agentRevoked>['by']

export interface LinkRequestTable {
  grant_id: string
  /** Proven by its signature; the following columns, up to the user agent, are only claimed or observed. */
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
  /** Whether the owner's decision makes its device a trusted one. */
  trusts_device: boolean
  scopes: Scope[]
  allowance_usd: string
  /** When the Router was to be asked for another allowance or was last reset to this one; null while surely in sync. */
  allowance_asked_at: Date | null
  /** Whether the Router was asked for a key and may have made one. */
  may_have_key: boolean
  state: 'approving' | 'live' | 'ending' | 'over'
  linked_at: Date
  /** When a process last began to settle it, while `approving` or `ending`. */
  attempted_at: Date
  ended_at: Date | null
  ended_by: EndedBy | null
  /** Null if an earlier release approved it without recording this. */
  approved_by: 'owner' | 'trusted_device' | null
  /** The session in which its owner approved it; null if none did, or an earlier release. */
  session_id: string | null
  /** The link whose token asked, if it was approved automatically; it stays in force no longer than that one. */
  parent_id: string | null
  /** When the owner acknowledged a link that was approved automatically. */
  seen_at: Date | null
}

export interface DeviceTrustTable {
  owner: Address
  device: string
  scopes: Scope[]
  allowance_usd: string
  /** When its owner decided on it. */
  since: Date
}

/** What an agent stored for its device. No service here has a key to it. */
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
  /** SHA-256 of the code, hexadecimal. The code itself is stored nowhere. */
  code_hash: string
  public_key: string
  /** Only claimed, like the purpose; the next columns were observed. */
  device: string
  purpose: RelayPurpose
  address: string
  user_agent: string | null
  created_at: Date
  expires_at: Date
  /** The owner who opened it first. */
  owner: Address | null
  /** The sealed result, present from `sealed_at` until `read_at`. */
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
