import type { ProbeState, ShownOffer } from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address, BaseUnits, Caip2, Hex } from '@callboard/values'
import type { Confirmation } from '@callboard/x402'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import type { NewPayers, Scope } from '../domain/gas-budget.ts'
import type { UnlistedBecause } from '../domain/listing-verdict.ts'
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
  /** The resource that the payment names, as claimed by its payer. */
  resource: ColumnType<DiscoveredResource | null, string | null, string | null>
  state: Exclude<State, 'absent'>
  /** Why it failed, as a version 2 reason. */
  reason: string | null
  lane: Address | null
  chain_nonce: number | null
  /** Our newest transaction that pays it. */
  tx_hash: Hex | null
  /** The transaction that paid it, or that reverted. */
  settled_tx: Hex | null
  block_number: number | null
  block_hash: Hex | null
  /** Log index, in its block, of the token's `Transfer` for this payment. */
  log_index: number | null
  /** The network of its first requester, IPv4 /24 or IPv6 /48. */
  origin: string | null
  /** The owner of the credential with which it was requested. */
  sponsor: Address | null
  /** The `X-Request-Id` of the request that claimed it; null for an older release's claim. */
  request_id: string | null
  /** The class of new payers in which its payer counted when it was signed; null for one that was not new. */
  new_payer: NewPayers | null
  /** How many payments it counts as towards its payer's allowance. */
  exposure: number | null
  /** The most gas that it may burn: its share of its transaction's limit. */
  gas_limit: number | null
  /** How many payments its transaction carries. */
  legs: number | null
  is_foreign: Generated<boolean>
  /** The transaction that `payment.settled` named. */
  announced_tx: Hex | null
  /** From which confirmation it counts, by the request that claimed it. */
  confirmation: Generated<Confirmation>
  /** The transaction on whose preconfirmation it was granted. It is granted on only one. */
  preconfirmed_tx: Hex | null
  /** Its runner; lease times are the database's, so that replicas' clocks need not agree. */
  lease_owner: string | null
  lease_until: Date | null
  created_at: Date
  updated_at: Date
}

/** A signing account on a chain. Chain nonces are handed out under its row lock. */
export interface LaneTable {
  network: Caip2
  address: Address
  next_nonce: number
  kept_until: Generated<Date>
}

/** A signed transaction, stored before any node sees it. Several share a chain nonce when one replaces another. */
export interface TransactionTable {
  hash: Hex
  network: Caip2
  lane: Address
  chain_nonce: number
  raw: Hex
  created_at: Date
  /** When it was last sent again; the first sending follows `created_at` at once. */
  sent_at: Date | null
}

/** A payment that a chain nonce carries. A nonce carries many where they were settled together. */
export interface LegTable {
  network: Caip2
  lane: Address
  chain_nonce: number
  payment_key: string
}

/** A URL that settled payments name. Everything else about it is stored only as our own probe read it there. */
export interface DiscoveredResourceTable {
  /** Origin and path. */
  url: string
  origin: string
  /** What its probes count towards; null if a previous release named it, whose resources count by origin. */
  site: string | null
  /** The payee of the first payment that named it: resources waiting for a first probe are counted by payee. */
  first_pay_to: Address
  first_settled_at: Date
  last_settled_at: Date
  /** When it is checked next; null until a further payment names it. */
  due_at: Date | null
  asked_at: Date | null
  /** The newest probe requested: no other answer counts. */
  probe_id: string | null
  failed_probes: Generated<number>
  probed_at: Date | null
  /** The result of the newest probe. */
  state: ProbeState | null
  /** Origin and path or route template. */
  resource: string | null
  type: 'http' | 'mcp' | null
  x402_version: number | null
  accepts: Json<ShownOffer[]> | null
  description: string | null
  mime_type: string | null
  service_name: string | null
  tags: Json<string[]> | null
  icon_url: string | null
  extensions: Json<Record<string, unknown>> | null
  /** When the offer was read. */
  offered_at: Date | null
  is_listed: Generated<boolean>
  /** Null if and only if it is listed. */
  unlisted_because: UnlistedBecause | null
  first_listed_at: Date | null
}

/** Terms on which payments that name a URL were settled. */
export interface SettledTermsTable {
  url: string
  network: Caip2
  asset: Address
  pay_to: Address
  first_settled_at: Date
  last_settled_at: Date
}

/** A probe requested within the hour, by what it counts towards. */
export interface ProbeAskedTable {
  probe_id: string
  origin: string
  site: string | null
  pay_to: Address
  asked_at: Date
}

/** What a payment to us buys: the first request that presented it, and its result. */
export interface GrantBindingTable {
  payment_key: string
  operation: string
  fingerprint: string
  result: ColumnType<Record<string, unknown> | null, string | null, string | null>
  created_at: Date
}

/** A `payment-identifier`: the request that it names, and the payment that bought it. */
export interface PurchaseIdentifierTable {
  operation: string
  /** In lower case, as in a payment key. */
  payer: string
  /** The owner of the purchase, in lower case; the empty string where the operation knows no owner. */
  owner: string
  id: string
  fingerprint: string
  payment_key: string
  created_at: Date
}

/** Burned gas, per ten minutes. */
export interface GasSpentTable {
  network: Caip2
  scope: Scope
  subject: string
  piece: Date
  spent: number
  /** The part that was wasted. */
  wasted: number
}

export interface PayerCreditTable {
  network: Caip2
  payer: Address
  /** Settled payments of at least the floor, less those that failed. */
  credit: number
  /** When money of the payer was last recorded as moved; null if only before this was kept. */
  debited_at: Date | null
}

/** The newest snapshot of a listing seen so far, live or not. */
export interface ListingTable {
  slug: string
  version: number
}

/** A payee of a live listing. */
export interface KnownPayeeTable {
  network: Caip2
  address: Address
  slug: string
}

export interface FacilitatorTables {
  payment: PaymentTable
  lane: LaneTable
  transaction: TransactionTable
  leg: LegTable
  discovered_resource: DiscoveredResourceTable
  settled_terms: SettledTermsTable
  probe_asked: ProbeAskedTable
  grant_binding: GrantBindingTable
  purchase_identifier: PurchaseIdentifierTable
  gas_spent: GasSpentTable
  payer_credit: PayerCreditTable
  listing: ListingTable
  known_payee: KnownPayeeTable
}

export type Payment = Selectable<PaymentTable>
export type LaneTransaction = Selectable<TransactionTable>
export type Leg = Selectable<LegTable>

export type FacilitatorDb = Db<FacilitatorTables>
export type FacilitatorTx = Tx<FacilitatorTables>
