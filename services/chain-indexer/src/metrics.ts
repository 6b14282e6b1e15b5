import { Counter, Gauge, type Registry } from 'prom-client'

/** What the indexer measures, by network. Only the replica that leads a chain shows its gauges. */
export interface IndexerMetrics {
  readonly headBlock: Gauge<'network'>
  readonly cursorBlock: Gauge<'network'>
  readonly halted: Gauge<'network'>
  readonly reorgs: Counter<'network'>
  readonly providerErrors: Counter<'network' | 'fault'>
}

export function indexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry]
  const labelNames = ['network'] as const
  return {
    headBlock: new Gauge({
      name: 'callboard_indexer_head_block',
      help: 'The newest block that the provider in use knows.',
      labelNames,
      registers,
    }),
    cursorBlock: new Gauge({
      name: 'callboard_indexer_cursor_block',
      help: 'The last block whose settlements are recorded.',
      labelNames,
      registers,
    }),
    halted: new Gauge({
      name: 'callboard_indexer_halted',
      help: '1 when this replica stopped following a chain because a final block went away.',
      labelNames,
      registers,
    }),
    reorgs: new Counter({
      name: 'callboard_indexer_reorgs_total',
      help: 'Reorganisations that were followed.',
      labelNames,
      registers,
    }),
    providerErrors: new Counter({
      name: 'callboard_indexer_provider_errors_total',
      help: 'Steps given up because of a provider, by its fault.',
      labelNames: ['network', 'fault'],
      registers,
    }),
  }
}
