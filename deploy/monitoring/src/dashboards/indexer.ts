import { perSecond, quantile } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { processesOf } from './processes.ts'

const CALL = 'callboard_chain_call_duration_seconds'

export const indexer: Dashboard = {
  name: 'indexer',
  title: 'Chain indexer',
  description: 'How far each chain is followed, by which leader, and how its nodes answer.',
  rows: [
    {
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
          description: 'Measured by our clock. It also grows when the chain stands still or no replica leads.',
          unit: 's',
          alert: 'IndexerBehind',
          queries: [{ expr: 'max by (network) (callboard_indexer_lag_seconds)', legend: '{{network}}' }],
        },
        {
          title: 'Blocks per second',
          description: 'Recorded blocks, by network. This is the pace of the chain while the indexer keeps up.',
          unit: 'cps',
          queries: [
            {
              expr: 'max by (network) (deriv(callboard_indexer_cursor_block[$__rate_interval]))',
              legend: '{{network}}',
            },
          ],
        },
        {
          title: 'Leaders and halts',
          description:
            'Replicas that follow each chain (one, except briefly during a change of leader), and replicas that gave it up.',
          unit: 'short',
          alert: 'ReorgBeyondFinality',
          queries: [
            { expr: 'sum by (network) (callboard_indexer_leader)', legend: '{{network}} leaders' },
            { expr: 'sum by (network) (callboard_indexer_halted)', legend: '{{network}} halted' },
          ],
        },
        {
          title: 'Reorganisations and faults of providers',
          description: 'Followed reorganisations, and steps given up because of a provider, per second.',
          unit: 'cps',
          alert: 'RpcEndpointForeign',
          queries: [
            { expr: perSecond('callboard_indexer_reorgs_total', 'network'), legend: '{{network}} reorganisations' },
            {
              expr: perSecond('callboard_indexer_provider_errors_total', 'network, fault'),
              legend: '{{network}} {{fault}}',
            },
          ],
        },
      ],
    },
    {
      title: 'Nodes',
      panels: [
        {
          title: 'Calls to nodes',
          description: 'JSON-RPC requests per second, by method and outcome.',
          unit: 'reqps',
          width: 12,
          queries: [
            {
              expr: perSecond(`${CALL}_count`, 'network, method, outcome'),
              legend: '{{network}} {{method}} {{outcome}}',
            },
          ],
        },
        {
          title: 'Latency of nodes, 95th percentile',
          description: 'Time until a node answered, including retries.',
          unit: 's',
          width: 12,
          queries: [{ expr: quantile(0.95, CALL, 'network, method'), legend: '{{network}} {{method}}' }],
        },
        {
          title: 'Silence',
          description:
            'How long a service’s calls have gone unanswered. It grows while a call hangs; the two panels above show that call only when it ends.',
          unit: 's',
          alert: 'ChainSilent',
          width: 12,
          queries: [
            { expr: 'max by (service, network) (callboard_chain_silent_seconds)', legend: '{{network}} {{service}}' },
          ],
        },
        {
          title: 'Ways to hear of transactions',
          description:
            'How each endpoint reports transactions (sync, heads or poll), and endpoints that belong to another chain.',
          unit: 'short',
          width: 12,
          alert: 'RpcEndpointForeign',
          queries: [
            {
              expr: 'max by (network, endpoint, way) (callboard_rpc_endpoint_push)',
              legend: '{{network}} {{endpoint}} {{way}}',
            },
            {
              expr: 'max by (network, endpoint) (callboard_rpc_endpoint_foreign)',
              legend: '{{network}} {{endpoint}} foreign',
            },
          ],
        },
      ],
    },
    processesOf('chain-indexer'),
  ],
}
