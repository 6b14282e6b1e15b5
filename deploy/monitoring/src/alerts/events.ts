import { alert, everywhere, type Group, HOLD, held } from './alert.ts'

export const events: Group = {
  name: 'events',
  alerts: [
    alert({
      name: 'OutboxStuck',
      severity: 'critical',
      parameters: { for: '2m', ageSeconds: 60, hold: HOLD },
      expr: ({ ageSeconds, hold }) =>
        `${held('callboard_outbox_oldest_seconds', { of: 'max', by: 'service', hold })} > ${ageSeconds}`,
      summary: 'Events of {{ $labels.service }} do not leave its outbox',
      description:
        'The oldest event has waited for {{ $value | humanizeDuration }}; the data that other services show is equally old.',
      sight: everywhere('callboard_outbox_oldest_seconds'),
    }),
    alert({
      name: 'ConsumerLagging',
      severity: 'warning',
      parameters: { for: '5m', window: '10m', events: 100 },
      expr: ({ window, events: count }) =>
        `min_over_time((max by (consumer, event) (callboard_consumer_lag_events))[${window}:1m]) > ${count}`,
      summary: '{{ $labels.consumer }} is behind with {{ $labels.event }}',
      description: 'At least {{ $value }} events have waited for ten minutes.',
    }),
    alert({
      name: 'DeadLettersPresent',
      severity: 'warning',
      parameters: { for: '1m', events: 0 },
      expr: ({ events: count }) => `max by (service) (callboard_dead_letters) > ${count}`,
      summary: '{{ $labels.service }} gave up events',
      description: '{{ $value }} events are among its dead letters and have no effect until they are replayed.',
    }),
  ],
}
