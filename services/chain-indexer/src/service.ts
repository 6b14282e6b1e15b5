import { settlementObserved, settlementReverted } from '@callboard/contract'
import { service } from '@callboard/runtime'
import { leadershipTable } from '@callboard/store'
import { Config } from './config.ts'
import { followedChains } from './followed-chains.ts'
import { followChains } from './jobs/follow-chains.ts'
import type { Parts } from './kit.ts'
import { indexerMetrics } from './metrics.ts'
import * as settlements from './store/migrations/0002-settlements.ts'
import type { IndexerTables } from './store/tables.ts'

/** Blocks to observed settlements: one leader per chain, others standing by. It serves no operation. */
export const chainIndexer = service<typeof Config, IndexerTables, Parts, Record<never, never>>({
  name: 'chain-indexer',
  config: Config,
  migrations: { '0001-leadership': leadershipTable, '0002-settlements': settlements },
  open: async ({ config, metrics }) => ({
    followed: followedChains(config),
    metrics: indexerMetrics(metrics.registry),
  }),
  operations: {},
  serves: {},
  publishes: [settlementObserved, settlementReverted],
  jobs: [followChains],
})
