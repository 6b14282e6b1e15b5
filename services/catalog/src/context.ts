import type {
  AgentFeedback,
  CatalogueEntry,
  EventDeclaration,
  OfferChange,
  Operation,
  Range,
  Stats,
  WalletUsage,
} from '@callboard/contract'
import type { BatchConsumer, EventConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Directory } from './directory/directory.ts'
import type { SerializedItems } from './directory/serialized-items.ts'
import type { Follower } from './following/follower.ts'
import type { AddressSums } from './store/address-sums.repository.ts'
import type { LedgerRow } from './store/ledger/ledger.repository.ts'
import type { CatalogTables } from './store/tables.ts'
import type { Cache } from './ttl-cache.ts'
import type { VersionCache } from './version-cache.ts'

/** The sums of an address, and one item more than its first page holds, read at one moment. */
export interface AddressRead {
  readonly rows: readonly LedgerRow[]
  readonly sums: AddressSums
}

export interface Resources {
  readonly directory: Directory
  /** Keeps the directory in step with the tables. */
  readonly follower: Follower
  /** Listings as discovery shows them, with links signed by the current key. */
  readonly serializedItems: () => SerializedItems
  /** The sums of each range, as last computed. */
  readonly stats: Cache<Range, Stats>
  /** The feedback on an agent, cached if it takes long to read: anyone may give as much as they pay the gas for. */
  readonly feedback: Cache<string, AgentFeedback>
  /** How many agents a wallet has, cached likewise: it may register as many as it pays the gas for. */
  readonly agentTotals: Cache<string, number>
  /** The same of an address's payments in a range, a wallet's usage and a listing's week, all of which may be busy. */
  readonly addresses: Cache<string, AddressRead>
  readonly usages: Cache<string, WalletUsage>
  readonly weeks: Cache<string, CatalogueEntry['week']>
  /** The last changes of a listing's offers, which its provider may make long, and the feed that reports them. */
  readonly offerChanges: VersionCache<OfferChange[]>
  readonly listingFeeds: VersionCache<string>
}

export type CatalogContext = ServiceContext<Config, CatalogTables, Resources>
export type CatalogHandler<Op extends Operation> = Handler<Op, CatalogContext>
export type CatalogConsumer<Event extends EventDeclaration> = EventConsumer<Event, CatalogContext, CatalogTables>
export type CatalogBatchConsumer = BatchConsumer<CatalogContext, CatalogTables>
