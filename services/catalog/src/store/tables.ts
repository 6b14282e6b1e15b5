import type {
  AskedPrice,
  Conformance,
  Liveness,
  PostingSnapshot,
  ProbeState,
  SettlementKind,
  ShownOffer,
  SupportReport,
  Verification,
} from '@callboard/contract'
import type { Db, Tx } from '@callboard/store'
import type { Address, Caip2, Hex } from '@callboard/values'
import type { ColumnType, Generated } from 'kysely'
import type { OfferedOperation } from '../domain/entry/offered.ts'
import type { ListedSnapshot, OperationSchemas } from '../domain/listed.ts'

/** A jsonb column: written as text, read as a value. */
type Json<Value> = ColumnType<Value, string, string>

/** The newest snapshot of a listing. The results of its checks are only in `endpoint_check`. */
export interface ListingTable {
  slug: string
  version: number
  snapshot: Json<ListedSnapshot>
  /** By the index of the operation. */
  schemas: Json<OperationSchemas[]>
  name: string
  group_rank: number
  verification: Verification
  endpoints: number
  removed: boolean
  /** Live, not removed, and with an endpoint that has a price. */
  published: boolean
}

/** The latest version of a posting, even if it ended. */
export interface PostingTable {
  id: string
  version: number
  posting: Json<PostingSnapshot>
  /** Whether neither its owner nor the operator ended it; it may have expired. */
  open: boolean
  updated_at: Date
  expires_at: Date
}

/** The newest transaction that wrote a listing, its checks, or a posting; kept by triggers, even after deletion. */
export interface ListingChangeTable {
  /** The slug, or the id of a posting. */
  slug: string
  /** `xid8` as text. */
  xid: string
}

/** The highest version at which a listing was removed; it may be known before the listing. */
export interface ListingRemovalTable {
  slug: string
  version: number
  /** From when on it asks nothing; null if an older release wrote the row. */
  removed_at: Date | null
}

/** The newest check of an endpoint; it may be known before its listing. */
export interface EndpointCheckTable {
  slug: string
  method: string
  url: string
  checked_at: Date
  /** Orders checks of the same time. */
  sequence: number
  state: ProbeState
  /** When the endpoint was last up, in any check. */
  ok_at: Date | null
  liveness: Json<Liveness>
  conformance: ColumnType<Conformance | null, string | null, string | null>
}

/**
 * What each version of a listing asked; versions in a row that asked the same are one row. A draft that was never live
 * has none.
 */
export interface AskedTable {
  slug: string
  /** The first of them. */
  version: number
  /** The last of them; null if it is the only one, or if an older release wrote the row. */
  last_version: ColumnType<number | null, number | null | undefined, number>
  since: Date
  prices: Json<AskedPrice[]>
  /** The resources it sold, as payments name them; null if an older release wrote the row. */
  resources: ColumnType<string[] | null, string | null, string | null>
  /** Null for a version that was not live, and if an older release wrote the row. */
  offers: ColumnType<OfferedOperation[] | null, string | null | undefined, string | null>
}

/** The offer of an endpoint as the last check read it; it may be known before its listing. */
export interface LiveOfferTable {
  slug: string
  method: string
  url: string
  checked_at: Date
  /** Orders checks of the same time. */
  sequence: number
  state: ProbeState
  accepts: Json<ShownOffer[]>
}

/** Every address at which a listing ever asked to be paid, and since when. Claims are never withdrawn. */
export interface PayeeClaimTable {
  network: Caip2
  address: Address
  slug: string
  since: Date
}

/** What the previous release stores of prices; a later release drops it. */
export interface AskedPriceTable {
  network: Caip2
  slug: string
  /** Exact decimal. */
  amount_usd: string
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
  /** Exact decimal. */
  amount_usd: string
  /** The listing it belongs to, see `creditOf` of the contract. Null while no listing claims `pay_to`. */
  slug: string | null
  /** What it is to its listing; meaningless without a listing. */
  kind: SettlementKind
  /** The other listings that it may also belong to; null if its listing is certain. */
  shared_with: string[] | null
  /** The authorization's; null if an older release wrote the row. */
  nonce: Hex | null
  reverted: boolean
  /** The sequence of the observation that wrote the row; an earlier one never overwrites it. */
  sequence: number
  /** The submitter of its transaction; null if that was not read. */
  facilitator: Address | null
  /** The patterns of invented volume that its call shows, as bits; 0 for none. */
  patterns: Generated<number>
}

/** The effect of a transfer on the token's supply; the latest event wins. */
export interface SupplyChangeTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  /** Whole tokens, exact decimal, negative for a decrease. */
  total_change: string
  locked_change: string
  reverted: boolean
  sequence: number
}

/** How far a chain has been read; the latest event wins. */
export interface ChainProgressTable {
  network: Caip2
  block_number: number
  block_at: Date
  behind_blocks: number
  sequence: number
}

/** The submitter of a transaction; it may be known before its settlements. */
export interface SubmissionTable {
  network: Caip2
  tx_hash: Hex
  facilitator: Address
}

/** A deployed splitter and the wallet that it pays out to; the latest event wins. */
export interface SplitterTable {
  network: Caip2
  address: Address
  wallet: Address
  reverted: boolean
  sequence: number
}

/** The resources named by payments that our facilitator settled; one may be known before its settlement is observed. */
export interface PaymentResourceTable {
  network: Caip2
  asset: Address
  payer: Address
  nonce: Hex
  /** Origin and path, as claimed by the payer. */
  resource: string
  sequence: number
}

/** Blocks that a settlement has left; a revert may be known before the observation that it takes back. */
export interface SettlementRevertTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_hash: Hex
  sequence: number
}

/** The latest event about a burn. */
export interface BurnTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_number: number
  observed_at: Date
  burner: Address
  token: Address
  /** Whole tokens, exact decimal. */
  amount: string
  reverted: boolean
  /** The sequence of the event that wrote the row; an earlier one never overwrites it. */
  sequence: number
}

/** A message to the operator. Not a projection: it exists only here. */
export interface SupportReportTable {
  id: string
  /** The day (UTC) on which it came; the time is not stored. */
  day: string
  expires_at: Date
  report: Json<SupportReport>
}

/** The log of an ERC-8004 registry, and the agent, that a row is about. */
interface RegistryLog {
  network: Caip2
  tx_hash: Hex
  log_index: number
  block_number: number
  observed_at: Date
  registry: Address
  /** Up to 78 digits. */
  agent_id: string
  reverted: boolean
  /** The sequence of the event that wrote the row; an earlier one never overwrites it. */
  sequence: number
  change: string
}

/** The latest event about a log that changes an agent. */
export interface AgentChangeTable extends RegistryLog {
  /** The owner, or the agent's wallet. */
  address: Address | null
  uri: string | null
  uri_cut: boolean | null
}

/** An agent as its valid changes define it. */
export interface AgentTable {
  network: Caip2
  registry: Address
  agent_id: string
  owner: Address
  wallet: Address | null
  uri: string | null
  uri_cut: boolean | null
  registered_at: Date | null
  registration_tx: Hex | null
}

/** The latest event about a log of a client's feedback on an agent. */
export interface AgentFeedbackTable extends RegistryLog {
  client: Address
  index: string
  /** Exact decimal; null on revocations and responses. */
  value: string | null
  tag1: string | null
  tag2: string | null
}

export interface CatalogTables {
  support_report: SupportReportTable
  listing: ListingTable
  posting: PostingTable
  listing_change: ListingChangeTable
  listing_removal: ListingRemovalTable
  endpoint_check: EndpointCheckTable
  payee_claim: PayeeClaimTable
  asked: AskedTable
  live_offer: LiveOfferTable
  asked_price: AskedPriceTable
  settlement: SettlementTable
  settlement_revert: SettlementRevertTable
  payment_resource: PaymentResourceTable
  burn: BurnTable
  submission: SubmissionTable
  splitter: SplitterTable
  chain_progress: ChainProgressTable
  supply_change: SupplyChangeTable
  agent_change: AgentChangeTable
  agent: AgentTable
  agent_feedback: AgentFeedbackTable
}

/** Columns that no event sets: a rebuild leaves them. The patterns of a call are judged by a job. */
export const derivedColumns: Readonly<Record<string, readonly string[]>> = { settlement: ['patterns'] }

/**
 * The tables that events alone determine: emptied, and with every event handled again in any order, they are the same.
 * `listing_change` is not one: through it replicas learn that the others were emptied. Nor are the sums and verdicts of
 * migrations 0006 and 0013 and the usage of 0012: triggers on `settlement` empty them; its rows rebuild them.
 */
export const projectionTables: readonly (keyof CatalogTables)[] = [
  'listing',
  'posting',
  'listing_removal',
  'endpoint_check',
  'payee_claim',
  'asked',
  'live_offer',
  'asked_price',
  'settlement',
  'settlement_revert',
  'payment_resource',
  'burn',
  'submission',
  'splitter',
  'chain_progress',
  'supply_change',
  'agent_change',
  'agent',
  'agent_feedback',
]

export type CatalogDb = Db<CatalogTables>
export type CatalogTx = Tx<CatalogTables>

/** Reads several things from one snapshot. */
export const atOneMoment = <Result>(db: CatalogDb, read: (tx: CatalogTx) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
