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
import type { ReadTimes } from '../domain/read-times.ts'

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
  /** Read later than `operations` say, in their order; null if they say it. */
  read_times: ColumnType<ReadTimes | null, string | null | undefined, string | null>
  conformances: Json<Record<string, Conformance>>
  liveness: Json<Liveness>
  liveness_at: Date | null
  created_at: ColumnType<Date, Date, never>
  listed_at: Date | null
  updated_at: Date
  suspended_reason: string | null
  /** The listing's splitters on other chains, proven by their code. */
  other_splitters: Json<OtherSplitter[]>
  /** What the operator verified; null if the listing is not verified. */
  reviewed: ColumnType<ReviewedFacts | null, string | null, string | null>
  /** The key that look-alike names share, and the name it was made from: an older process writes neither. */
  name_key: string | null
  name_key_of: string | null
  withdrawn_at: Date | null
  rejected_at: Date | null
  rejected_reason: string | null
  /** Which verdict it is; null for `rejected`. */
  rejected_kind: 'rejected' | 'suspended' | null
  /** What it sold then, as origin and path; null if an older process wrote the verdict. */
  rejected_resources: string[] | null
  /** The sites that the endpoints are on; null if an older process wrote the row. */
  sites: string[] | null
}

/** What each published version of a listing asked. */
export interface AskedTable {
  slug: string
  version: number
  since: Date
  prices: Json<AskedPrice[]>
  /** The resources it sold, as payments name them; null if an older process wrote the row. */
  resources: ColumnType<string[] | null, string | null, string | null>
}

/** A settlement that reached a listing's splitter, in its current block. */
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
  /** The wallet's other listings that it may also belong to; null if its listing is certain. */
  shared_with: string[] | null
  /** The authorization; null if an older process wrote the row. */
  payer: Address | null
  nonce: Hex | null
}

/** The resource that a payment to a splitter named when our facilitator settled it, as claimed by the payer. */
export interface PaymentResourceTable {
  network: Caip2
  payer: Address
  nonce: Hex
  /** Origin and path. */
  resource: string
  sequence: number
}

/** A third party's resource that sources name: one row per method, origin and path. */
export interface MirroredTable {
  slug: ColumnType<string, string, never>
  version: number
  method: ColumnType<MirrorMethod, MirrorMethod, never>
  url: ColumnType<string, string, never>
  /** Origin and path. */
  resource: ColumnType<string, string, never>
  origin: ColumnType<string, string, never>
  /** The registrable domain of its host, since each of these costs something. */
  site: ColumnType<string, string, never>
  state: MirrorState
  state_since: Date
  reason: string | null
  claim: Json<MirrorClaim>
  claim_source: string | null
  fact: ColumnType<MirrorFact | null, string | null, string | null>
  terms: ColumnType<PaymentTerm[] | null, string | null, string | null>
  ok_at: Date | null
  /** The account proven to be the row's payee. */
  owner: Address | null
  owned_since: Date | null
  /** The operator's suspension. */
  taken_down: ColumnType<Rejection | null, string | null, string | null>
  /** The owner's part. */
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
  /** `file`: listed in the file of sources, and removed with it; `operator`: set by the operator's command. */
  configured_by: 'file' | 'operator'
  interval_ms: number
  due_at: Date
  /** Which replica imports it now, by the database's clock; both are set together. */
  lease: string | null
  leased_until: Date | null
  /** The progress of an unfinished run. */
  run: ColumnType<SourceRun | null, string | null, string | null>
  /** Entries that the last complete run did not import, by reason. */
  not_taken: ColumnType<Record<string, number>, string | undefined, string>
  /** How many runs in a row failed. */
  failures: number
  /** Why the last one failed, in words. */
  problem: string | null
  last_good_at: Date | null
  created_at: ColumnType<Date, Date, never>
}

/** Records that a source names a resource. */
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
  /** An IPv4 /24 or IPv6 /48; null if internal, and once it ended. */
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
