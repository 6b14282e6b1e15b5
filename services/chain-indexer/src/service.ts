import { settlementAttributed, settlementObserved, settlementReverted } from '@callboard/contract'
import { measuringChainCalls, service } from '@callboard/runtime'
import { leadershipTable } from '@callboard/store'
import { Config } from './config.ts'
import { followedChains } from './followed-chains.ts'
import { followChains } from './jobs/follow-chains.ts'
import type { Parts } from './kit.ts'
import { indexerMetrics, readChains } from './metrics.ts'
import * as settlements from './store/migrations/0002-settlements.ts'
import * as attribution from './store/migrations/0003-attribution.ts'
import type { IndexerTables } from './store/tables.ts'

/** Blocks to observed settlements: one leader per chain, others standing by. It serves no operation. */
export const chainIndexer = service<typeof Config, IndexerTables, Parts, Record<never, never>>({
  name: 'chain-indexer',
  config: Config,
  migrations: { '0001-leadership': leadershipTable, '0002-settlements': settlements, '0003-attribution': attribution },
  open: async (kit) => {
    const followed = followedChains(kit.config, measuringChainCalls(kit.metrics))
    const metrics = indexerMetrics(kit.metrics.registry)
    readChains(metrics, kit.metrics.readings, followed, kit)
    return { followed, metrics }
  },
  operations: {},
  serves: {},
  publishes: [settlementObserved, settlementAttributed, settlementReverted],
  jobs: [followChains],
})
