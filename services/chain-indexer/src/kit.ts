import type { Chain } from '@callboard/evm'
import type { Kit } from '@callboard/runtime'
import type { Config } from './config.ts'
import type { BloomTest } from './domain/bloom.ts'
import type { IndexerMetrics } from './metrics.ts'
import type { Providers } from './rpc/providers.ts'
import type { IndexerTables } from './store/tables.ts'

/** A served chain with what it takes to read it. */
export interface FollowedChain {
  readonly chain: Chain
  readonly providers: Providers
  readonly mayHoldLogs: BloomTest
  /** The first block to read; undefined for "the newest one, when it is followed for the first time". */
  readonly startBlock: number | undefined
}

export interface Parts {
  readonly followed: readonly FollowedChain[]
  readonly metrics: IndexerMetrics
}

export type IndexerKit = Kit<Config, IndexerTables, Parts>
