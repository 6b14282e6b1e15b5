import type { Written } from '@callboard/bus'
import type { DiscoveryItem, EventDeclaration, Operation, Range, Stats } from '@callboard/contract'
import type { BatchConsumer, EventConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Directory } from './directory/directory.ts'
import type { Filters } from './domain/filters.ts'
import type { DirectoryListing } from './domain/listed.ts'
import type { Follower } from './following/follower.ts'
import type { Recent } from './recent.ts'
import type { CatalogTables } from './store/tables.ts'

export interface Resources {
  readonly directory: Directory
  /** Keeps the directory as the tables are. */
  readonly follower: Follower
  /** A listing as discovery shows it, written, by the offer that is asked for. */
  readonly itemOf: (listed: DirectoryListing, filters: Filters) => Written<DiscoveryItem>
  /** The sums of each range, as they were counted last. */
  readonly stats: Recent<Range, Stats>
}

export type CatalogContext = ServiceContext<Config, CatalogTables, Resources>
export type CatalogHandler<Op extends Operation> = Handler<Op, CatalogContext>
export type CatalogConsumer<Event extends EventDeclaration> = EventConsumer<Event, CatalogContext, CatalogTables>
export type CatalogBatchConsumer = BatchConsumer<CatalogContext, CatalogTables>
