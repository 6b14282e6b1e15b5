import type { Row } from '../panels.ts'
import { perSecond, quantile } from '../promql.ts'

const CALL = 'callboard_chain_call_duration_seconds'

export const chains: Row = {
  title: 'Chains',
  panels: [
    {
      title: 'Head, recorded, final',
      description: 'Block heights as the leader sees them.',
      unit: 'none',
      queries: [
        { expr: 'max by (network) (callboard_indexer_head_block)', legend: '{{network}} head' },
        { expr: 'max by (network) (callboard_indexer_cursor_block)', legend: '{{network}} recorded' },
        { expr: 'max by (network) (callboard_indexer_final_block)', legend: '{{network}} final' },
      ],
    },
    {
      title: 'Lag',
      description: 'Blocks from the last recorded one to the head.',
      unit: 'short',
      queries: [{ expr: 'max by (network) (callboard_indexer_lag_blocks)', legend: '{{network}}' }],
    },
    {
      title: 'Age of the last recorded block',
      description: 'By our clock: it also grows when the chain stands still or no replica leads.',
      unit: 's',
      queries: [{ expr: 'max by (network) (callboard_indexer_lag_seconds)', legend: '{{network}}' }],
    },
    {
      title: 'Leaders and halts',
      description: 'Replicas that follow each chain (one, but for a moment of change) and that gave it up.',
      unit: 'short',
      queries: [
        { expr: 'sum by (network) (callboard_indexer_leader)', legend: '{{network}} leaders' },
        { expr: 'sum by (network) (callboard_indexer_halted)', legend: '{{network}} halted' },
      ],
    },
    {
      title: 'Calls to nodes',
      description: 'JSON-RPC requests per second, by method and outcome.',
      unit: 'reqps',
      queries: [
        { expr: perSecond(`${CALL}_count`, 'network, method, outcome'), legend: '{{network}} {{method}} {{outcome}}' },
      ],
    },
    {
      title: 'Latency of nodes, 95th percentile',
      description: 'Time until a node answered, retries included.',
      unit: 's',
      queries: [{ expr: quantile(0.95, CALL, 'network, method'), legend: '{{network}} {{method}}' }],
    },
    {
      title: 'Silence',
      description:
        'For how long what a service asks has had no answer. It grows while a call hangs, which the two above show at its end.',
      unit: 's',
      width: 24,
      queries: [
        { expr: 'max by (service, network) (callboard_chain_silent_seconds)', legend: '{{network}} {{service}}' },
      ],
    },
    {
      title: 'Reorganisations and faults of providers',
      description: 'Followed reorganisations, and steps given up because of a provider, per second.',
      unit: 'cps',
      width: 24,
      queries: [
        { expr: perSecond('callboard_indexer_reorgs_total', 'network'), legend: '{{network}} reorganisations' },
        {
          expr: perSecond('callboard_indexer_provider_errors_total', 'network, fault'),
          legend: '{{network}} {{fault}}',
        },
      ],
    },
  ],
}
