import type { Db, Tx } from '@callboard/store'
import type { Address, BaseUnits, Caip2, Hex } from '@callboard/values'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import type { State } from '../domain/payment-state.ts'

type Json<T> = ColumnType<T, string, string>

/** One authorization and everything we did about it. */
export interface PaymentTable {
  /** `network/asset/from/nonce`, lower-cased. */
  key: string
  network: Caip2
  asset: Address
  payer: Address
  nonce: Hex
  pay_to: Address
  amount: BaseUnits
  valid_after: string
  valid_before: string
  signature: Hex
  /** ERC-8021 builder codes to append to the calldata; "0x" for none. */
  suffix: Hex
  /** What discovery will tell once the payment is settled. */
  resource: ColumnType<DiscoveredResource | null, string | null, string | null>
  state: Exclude<State, 'absent'>
  /** Why not, in version 2 words. */
  reason: string | null
  lane: Address | null
  chain_nonce: number | null
  /** The newest transaction of ours that pays it. */
  tx_hash: Hex | null
  /** The transaction that did pay it, or that reverted. */
  settled_tx: Hex | null
  block_number: number | null
  block_hash: Hex | null
  /** Where in its block the token's `Transfer` of this payment stands. */
  log_index: number | null
  is_foreign: Generated<boolean>
  /** The transaction that `payment.settled` named. */
  announced_tx: Hex | null
  /** Who works on it; time is the database's, so that replicas need not agree on theirs. */
  lease_owner: string | null
  lease_until: Date | null
  created_at: Date
  updated_at: Date
}

/** A signing account on a chain. Its row lock is what hands out chain nonces. */
export interface LaneTable {
  network: Caip2
  address: Address
  next_nonce: number
  kept_until: Generated<Date>
}

/** A signed transaction, stored before anybody sees it. Several share a chain nonce when one replaces another. */
export interface TransactionTable {
  hash: Hex
  network: Caip2
  lane: Address
  chain_nonce: number
  raw: Hex
  created_at: Date
  /** When it was last sent again; the first time follows `created_at` at once. */
  sent_at: Date | null
}

/** A payment that a chain nonce carries. A nonce carries many where they were settled together. */
export interface LegTable {
  network: Caip2
  lane: Address
  chain_nonce: number
  payment_key: string
}

export interface ResourceTable {
  resource: string
  pay_to: Address
  type: 'http' | 'mcp'
  x402_version: number
  accepts: Json<Record<string, unknown>[]>
  description: string | null
  mime_type: string | null
  service_name: string | null
  extensions: ColumnType<Record<string, unknown> | null, string | null, string | null>
  first_seen_at: Date
  last_updated_at: Date
}

/** What a payment to us buys: the first request that presented it, and its answer. */
export interface GrantBindingTable {
  payment_key: string
  operation: string
  fingerprint: string
  result: ColumnType<Record<string, unknown> | null, string | null, string | null>
  created_at: Date
}

export interface PaymentIdentifierTable {
  operation: string
  id: string
  fingerprint: string
  payment_key: string
  created_at: Date
}

export interface FacilitatorTables {
  payment: PaymentTable
  lane: LaneTable
  transaction: TransactionTable
  leg: LegTable
  resource: ResourceTable
  grant_binding: GrantBindingTable
  payment_identifier: PaymentIdentifierTable
}

export type Payment = Selectable<PaymentTable>
export type LaneTransaction = Selectable<TransactionTable>
export type Leg = Selectable<LegTable>

export type FacilitatorDb = Db<FacilitatorTables>
export type FacilitatorTx = Tx<FacilitatorTables>
