import type { Db, Tx } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import type { BuilderCodes } from '@callboard/x402'
import type { ColumnType } from 'kysely'

/** How far a chain is recorded. From `first_block` to the cursor nothing is missing. */
export interface ChainCursorTable {
  network: Caip2
  first_block: number
  block_number: number
  block_hash: Hex
  updated_at: Date
}

/** The recent blocks of a chain that a reorganisation may revert, and the cursor's own. */
export interface BlockTable {
  network: Caip2
  number: number
  hash: Hex
  parent_hash: Hex
  mined_at: Date
}

export interface SettlementTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_number: number
  block_hash: Hex
  observed_at: Date
  payer: Address
  pay_to: Address
  asset: Address
  /** Base units; numeric(78,0) comes back as text. */
  amount: string
  nonce: Hex
  /** Sender of the transaction, and the codes at the end of its calldata; both unread unless `attributed` is true. */
  facilitator: Address | null
  builder_codes: ColumnType<BuilderCodes | null, string | null>
  /** Whether the transaction was requested; in history that happens after the settlement. */
  attributed: boolean | null
}

/** The position of a log in a followed chain. */
interface LogColumns {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_number: number
  block_hash: Hex
  observed_at: Date
}

export interface StakeChangeTable extends LogColumns {
  contract: Address
  owner: Address
  /** Base units of the owner's stake after the change. */
  stake: string
}

export interface BurnTable extends LogColumns {
  ledger: Address
  burner: Address
  token: Address
  /** Base units. */
  amount: string
  decimals: number
}

/** A contract that is followed in addition to a chain's token, with its range of blocks read before that. */
export interface LogSourceTable {
  network: Caip2
  emitter: Address
  /** The next block to read, up to `until_block`; nothing is missing when it is above. */
  next_block: number
  until_block: number
}

/** A record of blocks read, and by which endpoint: the chain of digests in certificates. */
export interface BlockReadTable {
  network: Caip2
  place: number
  from_block: number
  to_block: number
  endpoint: string
  how: string
  parent_hash: Hex
  hashes: string[]
  logs: number
  read_at: string
  previous: string
  digest: string
}

/** Facts, stored unchanged. */
export interface ChainFactTable extends LogColumns {
  kind: string
  emitter: string
  said: ColumnType<object, string>
}

export interface IndexerTables {
  chain_fact: ChainFactTable
  block_read: BlockReadTable
  chain_cursor: ChainCursorTable
  block: BlockTable
  settlement: SettlementTable
  stake_change: StakeChangeTable
  burn: BurnTable
  log_source: LogSourceTable
}

export type IndexerDb = Db<IndexerTables>
export type IndexerTx = Tx<IndexerTables>
