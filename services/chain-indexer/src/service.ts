import {
  burnObserved,
  burnReverted,
  chainProgressed,
  eventName,
  identityChanged,
  identityReverted,
  settlementAttributed,
  settlementObserved,
  settlementReverted,
  splitterCreated,
  splitterReverted,
  stakeChanged,
  stakeReverted,
  supplyChanged,
  supplyReverted,
} from '@callboard/contract'
import { service, watchingChains } from '@callboard/runtime'
import { leadershipTable } from '@callboard/store'
import { Config } from './config.ts'
import { requireConnections } from './connections.ts'
import type { Resources } from './context.ts'
import { followedChains } from './followed-chains.ts'
import { followChains } from './jobs/follow-chains.ts'
import { indexerMetrics, readChains } from './metrics.ts'
import * as settlements from './store/migrations/0002-settlements.ts'
import * as attribution from './store/migrations/0003-attribution.ts'
import * as stakesAndBurns from './store/migrations/0004-stakes-and-burns.ts'
import * as logSources from './store/migrations/0005-log-sources.ts'
import * as blockReads from './store/migrations/0006-block-reads.ts'
import * as chainFacts from './store/migrations/0007-chain-facts.ts'
import type { IndexerTables } from './store/tables.ts'

/** Turns blocks into observed settlements, stakes and burns: one leader per chain, others stand by. No operations. */
export const chainIndexer = service<typeof Config, IndexerTables, Resources, Record<never, never>>({
  name: 'chain-indexer',
  config: Config,
  migrations: {
    '0001-leadership': leadershipTable,
    '0002-settlements': settlements,
    '0003-attribution': attribution,
    '0004-stakes-and-burns': stakesAndBurns,
    '0005-log-sources': logSources,
    '0006-block-reads': blockReads,
    '0007-chain-facts': chainFacts,
  },
  open: async (ctx) => {
    const followed = followedChains(ctx.config, watchingChains(ctx))
    requireConnections(ctx.sessions.options.max, followed.length)
    const metrics = indexerMetrics(ctx.metrics.registry)
    readChains(metrics, ctx.metrics.collectors, followed, ctx)
    return { followed, metrics }
  },
  operations: {},
  serves: {},
  publishes: [
    chainProgressed,
    ...[settlementObserved, settlementAttributed, settlementReverted],
    ...[stakeChanged, stakeReverted, burnObserved, burnReverted],
    ...[splitterCreated, splitterReverted, supplyChanged, supplyReverted],
    ...[identityChanged, identityReverted],
  ],
  supersedes: [{ name: eventName(chainProgressed) }],
  leadsChains: true,
  jobs: [followChains],
})
