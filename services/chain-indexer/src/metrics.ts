import type { Collectors, Sample } from '@callboard/runtime'
import { Counter, Gauge, type Registry } from 'prom-client'
import { finalHeight } from './domain/sync-status.ts'
import type { FollowedChain } from './followed-chain.ts'
import { PROVIDER_FAULTS } from './rpc/provider-error.ts'
import { recordedBlocks } from './store/chain.repository.ts'
import type { IndexerDb } from './store/tables.ts'

/** The indexer's metrics, by network. Only the replica that leads a chain shows its head and its cursor. */
export interface IndexerMetrics {
  readonly leader: Gauge<'network'>
  readonly headBlock: Gauge<'network'>
  readonly cursorBlock: Gauge<'network'>
  readonly finalBlock: Gauge<'network'>
  readonly lagBlocks: Gauge<'network'>
  readonly lagSeconds: Gauge<'network'>
  readonly halted: Gauge<'network'>
  readonly reorgs: Counter<'network'>
  readonly providerErrors: Counter<'network' | 'fault'>
}

export function indexerMetrics(registry: Registry): IndexerMetrics {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['network'] as const, registers: [registry] })
  return {
    leader: gauge('callboard_indexer_leader', '1 while this replica follows the chain, 0 while it is on standby.'),
    headBlock: gauge(
      'callboard_indexer_head_block',
      'The newest block that the provider in use knows. Set by the leader.',
    ),
    cursorBlock: gauge(
      'callboard_indexer_cursor_block',
      'The last block whose settlements are recorded. Set by the leader.',
    ),
    finalBlock: gauge('callboard_indexer_final_block', 'The highest final block below the head. Set by the leader.'),
    lagBlocks: gauge(
      'callboard_indexer_lag_blocks',
      'The number of blocks from the cursor to the head. Set by the leader.',
    ),
    lagSeconds: gauge(
      'callboard_indexer_lag_seconds',
      'Age of the last recorded block by our clock. It grows when the indexer falls behind and when the chain stands still. All replicas show the same.',
    ),
    halted: gauge(
      'callboard_indexer_halted',
      '1 if this replica stopped following a chain because a final block disappeared.',
    ),
    reorgs: new Counter({
      name: 'callboard_indexer_reorgs_total',
      help: 'Chain reorganisations that the indexer followed.',
      labelNames: ['network'],
      registers: [registry],
    }),
    providerErrors: new Counter({
      name: 'callboard_indexer_provider_errors_total',
      help: 'Steps that were given up because of a provider, by the provider’s fault.',
      labelNames: ['network', 'fault'],
      registers: [registry],
    }),
  }
}

/** Shows every served chain from the start, and reads derived or stored values when `/metrics` is scraped. */
export function readChains(
  metrics: IndexerMetrics,
  collectors: Collectors,
  followed: readonly FollowedChain[],
  { db, clock }: { readonly db: IndexerDb; readonly clock: { now(): number } },
): void {
  const networks = followed.map(({ chain: { network } }) => network)
  for (const network of networks) {
    metrics.leader.set({ network }, 0)
    metrics.halted.set({ network }, 0)
    metrics.reorgs.inc({ network }, 0)
    for (const fault of PROVIDER_FAULTS) metrics.providerErrors.inc({ network, fault }, 0)
  }
  collectors.add('chain-indexer heights', async () => {
    const [heads, cursors] = await Promise.all([heights(metrics.headBlock), heights(metrics.cursorBlock)])
    return followed.flatMap(({ chain: { network, finalityDepth } }): Sample[] => {
      const [head, cursor] = [heads.get(network), cursors.get(network)]
      if (head === undefined || cursor === undefined) return []
      return [
        { gauge: metrics.finalBlock, labels: { network }, value: finalHeight(head, finalityDepth) },
        { gauge: metrics.lagBlocks, labels: { network }, value: Math.max(0, head - cursor) },
      ]
    })
  })
  collectors.add('chain-indexer blocks', async () =>
    (await recordedBlocks(db, networks)).map(({ network, minedAt }) => ({
      gauge: metrics.lagSeconds,
      labels: { network },
      value: Math.max(0, (clock.now() - minedAt.getTime()) / 1000),
    })),
  )
}

const heights = async (gauge: Gauge<'network'>): Promise<Map<unknown, number>> =>
  new Map((await gauge.get()).values.map(({ labels, value }) => [labels.network, value]))
