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

/** The newest snapshot of a listing. What its checks say of it stands in `endpoint_check` alone. */
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

/** What was said last of a posting, also of one that ended. */
export interface PostingTable {
  id: string
  version: number
  posting: Json<PostingSnapshot>
  /** Not ended by its owner or the operator; by time it may be. */
  open: boolean
  updated_at: Date
  expires_at: Date
}

/** The newest transaction that wrote a listing, one of its checks, or a posting; kept by triggers, also for one that is gone. */
export interface ListingChangeTable {
  /** The slug, or the id of a posting. */
  slug: string
  /** `xid8` as text. */
  xid: string
}

/** The highest version under which a listing was removed; it may be known before the listing. */
export interface ListingRemovalTable {
  slug: string
  version: number
  /** From when on it asks nothing; null for what an older release wrote. */
  removed_at: Date | null
}

/** The newest check of an endpoint; it may be known before its listing. */
export interface EndpointCheckTable {
  slug: string
  method: string
  url: string
  checked_at: Date
  /** Orders checks of one moment. */
  sequence: number
  state: ProbeState
  /** The newest moment at which the endpoint was up, whichever check is newest. */
  ok_at: Date | null
  liveness: Json<Liveness>
  conformance: ColumnType<Conformance | null, string | null, string | null>
}

/** What a listing asked from each of its versions on; a draft's that was never live is not kept. */
export interface AskedTable {
  slug: string
  version: number
  since: Date
  prices: Json<AskedPrice[]>
  /** What it sold, as payments name it; null for what an older release wrote. */
  resources: ColumnType<string[] | null, string | null, string | null>
  /** Null for one that was not live, and for what an older release wrote. */
  offers: ColumnType<OfferedOperation[] | null, string | null | undefined, string | null>
}

/** What an endpoint offered when a check last read it; it may be known before its listing. */
export interface LiveOfferTable {
  slug: string
  method: string
  url: string
  checked_at: Date
  /** Orders checks of one moment. */
  sequence: number
  state: ProbeState
  accepts: Json<ShownOffer[]>
}

/** Every address that a listing ever asked to be paid at, since when. Claims are never taken back. */
export interface PayeeClaimTable {
  network: Caip2
  address: Address
  slug: string
  since: Date
}

/** What the release before keeps of prices; a later one drops it. */
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
  /** To whom it belongs, see `creditOf` of the contract. Null while no listing claims `pay_to`. */
  slug: string | null
  /** What it is to its listing; of one without a listing it says nothing. */
  kind: SettlementKind
  /** The other listings that it can belong to as well; null where it is known. */
  shared_with: string[] | null
  /** The authorization's; null for what an older release wrote. */
  nonce: Hex | null
  reverted: boolean
  /** The sequence of the observation that wrote the row; an earlier one never overwrites it. */
  sequence: number
  /** Who brought it to the chain; null where that was not read. */
  facilitator: Address | null
  /** The patterns of invented volume that its call shows, as bits; 0 for none. */
  patterns: Generated<number>
}

/** What a transfer changed of the token's supply; what was said last of it holds. */
export interface SupplyChangeTable {
  network: Caip2
  tx_hash: Hex
  log_index: number
  /** Whole tokens, exact decimal, negative where it became less. */
  total_change: string
  locked_change: string
  reverted: boolean
  sequence: number
}

/** How far a chain is read; what was said last holds. */
export interface ChainProgressTable {
  network: Caip2
  block_number: number
  block_at: Date
  behind_blocks: number
  sequence: number
}

/** Who brought a transaction to the chain; it may be known before its settlements. */
export interface SubmissionTable {
  network: Caip2
  tx_hash: Hex
  facilitator: Address
}

/** A deployed splitter and the wallet that it pays out to; what was said last holds. */
export interface SplitterTable {
  network: Caip2
  address: Address
  wallet: Address
  reverted: boolean
  sequence: number
}

/** What payments that our facilitator settled named; one may be known before its settlement is observed. */
export interface PaymentResourceTable {
  network: Caip2
  asset: Address
  payer: Address
  nonce: Hex
  /** Origin and path: its payer's word. */
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

/** What was said last of a burn. */
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
  /** The sequence of the event that said it; an earlier one never overwrites it. */
  sequence: number
}

/** What somebody wrote to the operator. No projection: it is nowhere else. */
export interface SupportReportTable {
  id: string
  /** The day (UTC) on which it came, and no more of when. */
  day: string
  expires_at: Date
  report: Json<SupportReport>
}

/** Of which log of an ERC-8004 registry, and of which agent, a row is. */
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
  /** The sequence of the event that said it; an earlier one never overwrites it. */
  sequence: number
  change: string
}

/** What was said last of a log about an agent. */
export interface AgentChangeTable extends RegistryLog {
  /** The owner, or the agent's wallet. */
  address: Address | null
  uri: string | null
  uri_cut: boolean | null
}

/** What an agent is by its changes that stand. */
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

/** What was said last of a log about what a client says of an agent. */
export interface AgentFeedbackTable extends RegistryLog {
  client: Address
  index: string
  /** Exact decimal; null where it is taken back or answered. */
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

/** Columns of the projection that are no event's: a rebuild leaves them. The patterns of a call are judged by a job. */
export const derivedColumns: Readonly<Record<string, readonly string[]>> = { settlement: ['patterns'] }

/**
 * The tables that the events alone determine: empty them, hear every event again in any order, and they are the same.
 * `listing_change` is none of them: by it the replicas learn that the others were emptied. Nor are the sums and verdicts of
 * migrations 0006 and 0013 and the usage of 0012: triggers on `settlement` empty them, and what it holds makes them.
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

/** Reads several things as they were at one moment. */
export const atOneMoment = <Result>(db: CatalogDb, read: (tx: CatalogTx) => Promise<Result>): Promise<Result> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
