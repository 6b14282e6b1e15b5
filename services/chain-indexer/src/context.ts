import type { ServiceContext } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { FollowedChain } from './followed-chain.ts'
import type { IndexerMetrics } from './metrics.ts'
import type { IndexerTables } from './store/tables.ts'

export interface Resources {
  readonly followed: readonly FollowedChain[]
  readonly metrics: IndexerMetrics
}

export type IndexerContext = ServiceContext<Config, IndexerTables, Resources>
