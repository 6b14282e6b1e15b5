import { alert, everywhere, type Group, HOLD, held, whereConfigured } from './alert.ts'

export const chains: Group = {
  name: 'chains',
  alerts: [
    // Shows a hanging node while it hangs; IndexerBehind would wait for blocks to become old.
    alert({
      name: 'ChainSilent',
      severity: 'critical',
      parameters: { for: '1m', silentSeconds: 60, hold: HOLD },
      expr: ({ silentSeconds, hold }) =>
        `${held('callboard_chain_silent_seconds', { of: 'max', by: 'network', hold })} > ${silentSeconds}`,
      summary: 'No node of {{ $labels.network }} answers',
      description:
        'A service’s requests have had no answer for {{ $value | humanizeDuration }}; nothing is settled there.',
      sight: everywhere('callboard_chain_silent_seconds'),
    }),
    alert({
      name: 'RpcEndpointForeign',
      severity: 'critical',
      parameters: { for: '0s', hold: HOLD },
      expr: ({ hold }) =>
        `${held('callboard_rpc_endpoint_foreign', { of: 'max', by: 'network, endpoint', hold })} == 1`,
      summary: 'An RPC endpoint of {{ $labels.network }} belongs to another chain',
      description:
        '{{ $labels.endpoint }} is not used; without another endpoint, the chain is not read and no payments settle on it.',
      sight: everywhere('callboard_rpc_endpoint_foreign'),
    }),
    alert({
      name: 'SplitterFactoryRefused',
      severity: 'critical',
      parameters: { for: '0s', hold: HOLD },
      expr: ({ hold }) => `${held('callboard_splitter_factory_refused', { of: 'max', by: 'network', hold })} == 1`,
      summary: '{{ $labels.network }} accepts no listings',
      description:
        'Its splitter factory is not our factory as configured, so no splitter addresses are given out there.',
      sight: whereConfigured('callboard_splitter_factory_refused', 'listings'),
    }),
    // Every replica reads it from the tables, so it fires for a slow leader, no leader and a chain that stands still.
    alert({
      name: 'IndexerBehind',
      severity: 'critical',
      parameters: { for: '2m', ageSeconds: 120, hold: HOLD },
      expr: ({ ageSeconds, hold }) =>
        `${held('callboard_indexer_lag_seconds', { of: 'max', by: 'network', hold })} > ${ageSeconds}`,
      summary: '{{ $labels.network }} is not followed',
      description:
        'The last recorded block is {{ $value | humanizeDuration }} old; later settlements are not observed.',
      sight: everywhere('callboard_indexer_lag_seconds', 'chain-indexer'),
    }),
    alert({
      name: 'ReorgBeyondFinality',
      severity: 'critical',
      parameters: { for: '0s', hold: HOLD },
      expr: ({ hold }) => `${held('callboard_indexer_halted', { of: 'max', by: 'network', hold })} == 1`,
      summary: 'A final block of {{ $labels.network }} has disappeared',
      description: 'The indexer stopped following the chain and waits for a person; nothing it recorded was deleted.',
      sight: everywhere('callboard_indexer_halted', 'chain-indexer'),
    }),
  ],
}
