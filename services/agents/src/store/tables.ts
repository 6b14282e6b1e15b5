import type { agentRevoked, DataOf, Scope } from '@callboard/contract'
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
  /** The Router was asked for a key, and did not surely make none. */
  may_have_key: boolean
  state: 'approving' | 'live' | 'ending' | 'over'
  linked_at: Date
  /** When somebody last began to settle it, while it is `approving` or `ending`. */
  attempted_at: Date
  ended_at: Date | null
  ended_by: EndedBy | null
}

export interface DeviceTrustTable {
  owner: Address
  device: string
  scopes: Scope[]
  allowance_usd: string
  since: Date
}

export interface AgentsTables {
  link_request: LinkRequestTable
  owner: { owner: Address }
  link: LinkTable
  device_trust: DeviceTrustTable
}

export type AgentsDb = Db<AgentsTables>
export type AgentsTx = Tx<AgentsTables>
