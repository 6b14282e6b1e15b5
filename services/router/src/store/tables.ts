import type { Db, Tx } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import type { ColumnType, Generated } from 'kysely'

/** Nano-USD as bigint: a plain read of int8 gives a number, or fails beyond 2^53, so statements read it as `::text`. */
type Nano = ColumnType<never, bigint, bigint>
/** A date that statements read as `::text`, YYYY-MM-DD. */
type Day = ColumnType<never, string, string>

/** What pays for the calls of a key: the owner's daily compute, or the balance that it bought. */
export type Source = 'compute' | 'balance'

export interface RouterKeyTable {
  id: string
  /** SHA-256 of the secret. */
  hash: Uint8Array
  /** The readable beginning of the secret. */
  prefix: string
  owner: Address
  link_id: string | null
  source: Source
  label: string
  created_at: ColumnType<Date, Date, never>
  last_used_at: Date | null
  ended_at: Date | null
  /** Calls that are held and not yet settled. */
  under_way: Generated<number>
  /** `wallet`: no secret, but a wallet that proves itself with each call. */
  kind: Generated<'secret' | 'wallet'>
  /** What calls of a Compute key paid into its owner's balance, and how much of it is spent and held. */
  paid_in_nano: Generated<Nano>
  paid_in_spent_nano: Generated<Nano>
  paid_in_held_nano: Generated<Nano>
}

/** What a subject may spend per UTC day, and what it spent and holds on the day of its last call. */
export interface BudgetTable {
  /** `owner:0x…`, `link:ID` or `key:ID`. */
  subject: string
  /** Null: no limit. */
  limit_nano: Nano | null
  day: Day
  spent_nano: Nano
  held_nano: Nano
}

/** The latest report on a change of an owner's stake: it is in a block, or its block left the chain. */
export interface StakeChangeTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  contract: Address
  owner: Address
  /** Base units staked by the owner after the change. */
  stake: string
  block_number: number
  mined_at: Date
  reverted: boolean
  /** Of the reporting event; an earlier one never overwrites it. */
  sequence: number
}

/** How much of an owner's stake counts from a day on, and the daily limit that results. */
export interface ComputeDayTable {
  owner: Address
  day: Day
  /** Base units; numeric(78,0) comes back as text. */
  stake: string
  limit_nano: Nano
  /** The rule by which the limit was computed from the stake. */
  rule: string
}

/** What an owner bought, and how much of it is spent and held. */
export interface BalanceTable {
  owner: Address
  purchased_nano: Nano
  spent_nano: Nano
  held_nano: Nano
}

/** A call from its hold to its settlement, and afterwards its record. */
export interface CallTable {
  call_id: string
  key_id: string
  owner: Address
  link_id: string | null
  source: Source
  /** The UTC day of its admission. */
  day: Day
  /** Whether it is bounded by what its key paid in. */
  from_paid_in: Generated<boolean>
  /** The hold: the most that the call can cost. */
  amount_nano: Nano
  model: string
  price_version: string
  surface: string
  upstream: string | null
  created_at: ColumnType<Date, Date, never>
  expires_at: Date
  state: 'held' | 'settled'
  /** Null until it is settled, like everything below; tokens are also null if unknown. */
  cost_nano: Nano | null
  input_tokens: number | null
  output_tokens: number | null
  cache_read_tokens: number | null
  cache_write_tokens: number | null
  reasoning_tokens: number | null
  estimated: boolean | null
  ending: string | null
  settled_at: Date | null
  /** The number of its receipt in its key's chain, from 1; null if it was settled before there were receipts. */
  receipt_seq: number | null
  /** SHA-256 of the key's previous receipt; null for the first. */
  receipt_previous: Uint8Array | null
  receipt_hash: Uint8Array | null
}

/** The last receipt of a key. */
export interface ReceiptChainTable {
  key_id: string
  seq: number
  previous: Uint8Array | null
  hash: Uint8Array
  facts: string
}

/** A key that signed receipts; it stays known after another has replaced it. */
export interface ReceiptKeyTable {
  /** The key's thumbprint (RFC 7638). */
  kid: string
  /** Ed25519. */
  public_key: Uint8Array
  first_used_at: Date
}

/** A call that a limit refused; only the latest of each key are kept. */
export interface RefusalTable {
  id: Generated<number>
  key_id: string
  refused_at: Date
  model: string
  surface: string
  level: string
  asked_nano: Nano
  left_nano: Nano
  in_flight_nano: Nano
}

/** A limit of a budget and the time from which it applied; a trigger writes it. */
export interface BudgetLimitTable {
  id: Generated<number>
  subject: string
  limit_nano: Nano | null
  since: Date
}

export interface LedgerAccountTable {
  /** `owner:0x…`, `received:NETWORK:ASSET` or `usage`. */
  id: string
}

export interface LedgerTransferTable {
  id: Generated<number>
  kind: 'top_up' | 'usage'
  /** `payment:KEY` or `call:ID`; it makes a transfer happen only once. */
  reference: string
  created_at: ColumnType<Date, Date, never>
}

/** What a transfer adds to an account; the entries of a transfer sum to zero. */
export interface LedgerEntryTable {
  transfer_id: number
  account_id: string
  amount_nano: Nano
}

export interface TopUpTable {
  /** `network/asset/from/nonce` of the payment's authorization. */
  payment_key: string
  /** Of the presenting request and its owner: a payment may be presented for several, but is settled for one. */
  fingerprint: string
  owner: Address
  amount_nano: Nano
  network: Caip2
  state: 'pending' | 'credited' | 'failed'
  created_at: ColumnType<Date, Date, never>
  /** When it is next checked, while pending. */
  due_at: Generated<Date>
  /** Whether money may have moved, according to the last check. */
  awaited: Generated<boolean>
  /** The key that came with the payment, if a call brought it. */
  key_id: string | null
  credited_at: Date | null
  transaction: string | null
}

/** Onramp sessions requested on a UTC day, across all callers. */
export interface OnrampDayTable {
  day: string
  sessions: number
}

export interface RouterTables {
  onramp_day: OnrampDayTable
  router_key: RouterKeyTable
  budget: BudgetTable
  stake_change: StakeChangeTable
  compute_day: ComputeDayTable
  balance: BalanceTable
  call: CallTable
  receipt_chain: ReceiptChainTable
  receipt_key: ReceiptKeyTable
  refusal: RefusalTable
  budget_limit: BudgetLimitTable
  ledger_account: LedgerAccountTable
  ledger_transfer: LedgerTransferTable
  ledger_entry: LedgerEntryTable
  top_up: TopUpTable
}

export type RouterDb = Db<RouterTables>
export type RouterTx = Tx<RouterTables>
