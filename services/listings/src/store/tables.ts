import type {
  Category,
  Conformance,
  Group,
  ListingOperation,
  ListingStatus,
  Liveness,
  Provenance,
  Verification,
} from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import type { ColumnType, Selectable } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface ListingTable {
  slug: ColumnType<string, string, never>
  version: number
  owner: Address
  name: string
  description: string
  category: Category
  status: ListingStatus
  verification: Verification
  listing_group: Group
  provenance: Provenance
  fee_bps: number
  fee_label: string
  network: Caip2
  payout_wallet: Address
  splitter_address: Address
  splitter_factory: Address
  splitter_deployed: boolean
  operations: Json<ListingOperation[]>
  conformances: Json<Record<string, Conformance>>
  liveness: Json<Liveness>
  liveness_at: Date | null
  created_at: ColumnType<Date, Date, never>
  listed_at: Date | null
  updated_at: Date
}

/** A settlement that reached a listing's splitter, as a block now has it. */
export interface SettlementTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_hash: Hex
  slug: string
  /** Base units, numeric. */
  amount: string
  observed_at: Date
}

export interface ListingsTables {
  listing: ListingTable
  settlement: SettlementTable
}

export type ListingRow = Selectable<ListingTable>
export type ListingsDb = Db<ListingsTables>
export type ListingsTx = Tx<ListingsTables>
