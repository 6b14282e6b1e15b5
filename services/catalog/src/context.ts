import type { AgentFeedback, EventDeclaration, Operation, Range, Stats } from '@callboard/contract'
import type { BatchConsumer, EventConsumer, Handler, ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { Directory } from './directory/directory.ts'
import type { WrittenItems } from './directory/written-items.ts'
import type { Follower } from './following/follower.ts'
import type { Recent } from './recent.ts'
import type { CatalogTables } from './store/tables.ts'

export interface Resources {
  readonly directory: Directory
  /** Keeps the directory as the tables are. */
  readonly follower: Follower
  /** Listings as discovery shows them, with links by the key that signs now. */
  readonly writtenItems: () => WrittenItems
  /** The sums of each range, as they were counted last. */
  readonly stats: Recent<Range, Stats>
  /** What is said of an agent, kept where that takes long to read: anyone may say as much as they pay the gas for. */
  readonly feedback: Recent<string, AgentFeedback>
}

export type CatalogContext = ServiceContext<Config, CatalogTables, Resources>
export type CatalogHandler<Op extends Operation> = Handler<Op, CatalogContext>
export type CatalogConsumer<Event extends EventDeclaration> = EventConsumer<Event, CatalogContext, CatalogTables>
export type CatalogBatchConsumer = BatchConsumer<CatalogContext, CatalogTables>
