import type {
  AskedPrice,
  Category,
  Conformance,
  Group,
  ListingOperation,
  ListingStatus,
  Liveness,
  PostingKind,
  PostingSnapshot,
  Provenance,
  SettlementKind,
  SourceKind,
  Verification,
} from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import type { ColumnType, Selectable } from 'kysely'
import type { OtherSplitter, Rejection, ReviewedFacts } from '../domain/listing.ts'
import type { Held } from '../domain/mirror/held.ts'
import type { MirrorClaim, MirrorFact, MirrorMethod, MirrorState, PaymentTerm } from '../domain/mirror/mirrored.ts'
import type { SourceFilters, SourceRun } from '../domain/mirror/source.ts'

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
  suspended_reason: string | null
  /** The listing's splitters on other chains, proven by their code. */
  other_splitters: Json<OtherSplitter[]>
  /** What the operator verified; null for a listing that is not. */
  reviewed: ColumnType<ReviewedFacts | null, string | null, string | null>
  /** What names that look alike share, and the name that it was made of: an older process writes neither. */
  name_key: string | null
  name_key_of: string | null
  withdrawn_at: Date | null
  rejected_at: Date | null
  rejected_reason: string | null
  /** Which verdict it is; null for `rejected`. */
  rejected_kind: 'rejected' | 'suspended' | null
  /** The sites that the endpoints are on; null for what an older process wrote. */
  sites: string[] | null
}

/** What each published version of a listing asked. */
export interface AskedTable {
  slug: string
  version: number
  since: Date
  prices: Json<AskedPrice[]>
  /** What it sold, as payments name it; null for what an older process wrote. */
  resources: ColumnType<string[] | null, string | null, string | null>
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
  kind: SettlementKind
  /** The wallet’s other listings that it can belong to as well; null where it is known. */
  shared_with: string[] | null
  /** The authorization; null for what an older process wrote. */
  payer: Address | null
  nonce: Hex | null
}

/** What a payment to a listing's splitter named when our facilitator settled it: its payer's word. */
export interface PaymentResourceTable {
  network: Caip2
  payer: Address
  nonce: Hex
  /** Origin and path. */
  resource: string
  sequence: number
}

/** A resource of a third party that sources name: one row for each method, origin and path. */
export interface MirroredTable {
  slug: ColumnType<string, string, never>
  version: number
  method: ColumnType<MirrorMethod, MirrorMethod, never>
  url: ColumnType<string, string, never>
  /** Origin and path. */
  resource: ColumnType<string, string, never>
  origin: ColumnType<string, string, never>
  /** The registrable domain of its host, of which each costs something. */
  site: ColumnType<string, string, never>
  state: MirrorState
  state_since: Date
  reason: string | null
  claim: Json<MirrorClaim>
  claim_source: string | null
  fact: ColumnType<MirrorFact | null, string | null, string | null>
  terms: ColumnType<PaymentTerm[] | null, string | null, string | null>
  ok_at: Date | null
  /** Who proved to be the payee of the row. */
  owner: Address | null
  owned_since: Date | null
  /** That the operator suspended it. */
  taken_down: ColumnType<Rejection | null, string | null, string | null>
  /** What its owner made of it. */
  held: ColumnType<Held | null, string | null, string | null>
  created_at: ColumnType<Date, Date, never>
  updated_at: Date
  unnamed_since: Date | null
}

/** Where rows are imported from. */
export interface SourceTable {
  name: ColumnType<string, string, never>
  kind: SourceKind
  url: string
  filters: Json<SourceFilters>
  /** `file`: it stands in the file of sources, and leaves with it; `operator`: by the operator's command. */
  configured_by: 'file' | 'operator'
  interval_ms: number
  due_at: Date
  /** Which replica imports it now, by the database's clock; set together. */
  lease: string | null
  leased_until: Date | null
  /** How far a run has come that is not over yet. */
  run: ColumnType<SourceRun | null, string | null, string | null>
  /** Entries that the last whole run did not take in, by why. */
  not_taken: ColumnType<Record<string, number>, string | undefined, string>
  /** Runs in a row that failed. */
  failures: number
  /** Why the last one did, in words. */
  problem: string | null
  last_good_at: Date | null
  created_at: ColumnType<Date, Date, never>
}

/** That a source names a resource. */
export interface SightingTable {
  source: string
  slug: string
  first_seen_at: Date
  last_seen_at: Date
}

/** What an owner offers or seeks that no endpoint sells. */
export interface PostingTable {
  id: ColumnType<string, string, never>
  version: number
  kind: ColumnType<PostingKind, PostingKind, never>
  owner: ColumnType<Address, Address, never>
  title: string
  description: string
  category: Category
  /** Decimal USD. */
  amount_usd: string
  accepts: Json<PostingSnapshot['accepts']>
  contact_url: string
  status: PostingSnapshot['status']
  ended_because: string | null
  has_verified_listing: boolean
  /** An IPv4 /24 or IPv6 /48; null for one from inside, and for one that ended. */
  posted_from: string | null
  created_at: ColumnType<Date, Date, never>
  updated_at: Date
  expires_at: Date
}

export interface ListingsTables {
  posting: PostingTable
  mirrored: MirroredTable
  source: SourceTable
  sighting: SightingTable
  listing: ListingTable
  asked: AskedTable
  settlement: SettlementTable
  payment_resource: PaymentResourceTable
}

export type ListingRow = Selectable<ListingTable>
export type PostingRow = Selectable<PostingTable>
export type ListingsDb = Db<ListingsTables>
export type ListingsTx = Tx<ListingsTables>
