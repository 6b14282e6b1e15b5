import type { AgentFeedback, EventDeclaration, OfferChange, Operation, Range, Stats } from '@callboard/contract'
import type { BatchConsumer, EventConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Directory } from './directory/directory.ts'
import type { SerializedItems } from './directory/serialized-items.ts'
import type { Follower } from './following/follower.ts'
import type { CatalogTables } from './store/tables.ts'
import type { Cache } from './ttl-cache.ts'
import type { VersionCache } from './version-cache.ts'

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
  /** The last changes of a listing's offers, which its provider may make long, and the feed that reports them. */
  readonly offerChanges: VersionCache<OfferChange[]>
  readonly listingFeeds: VersionCache<string>
}

export type CatalogContext = ServiceContext<Config, CatalogTables, Resources>
export type CatalogHandler<Op extends Operation> = Handler<Op, CatalogContext>
export type CatalogConsumer<Event extends EventDeclaration> = EventConsumer<Event, CatalogContext, CatalogTables>
export type CatalogBatchConsumer = BatchConsumer<CatalogContext, CatalogTables>
