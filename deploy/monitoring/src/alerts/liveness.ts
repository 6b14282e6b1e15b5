import { alert, type Group } from './alert.ts'

export const liveness: Group = {
  name: 'liveness',
  alerts: [
    alert({
      name: 'ProberBehind',
      severity: 'warning',
      parameters: { for: '10m', lateSeconds: 900 },
      expr: ({ lateSeconds }) => `max(callboard_probe_oldest_due_seconds) > ${lateSeconds}`,
      summary: 'Listings are not checked in time',
      description: 'The oldest check is {{ $value | humanizeDuration }} late; liveness is shown from old checks.',
    }),
    alert({
      name: 'MirrorSourceFailing',
      severity: 'warning',
      parameters: { for: '30m', sources: 0 },
      expr: ({ sources }) => `max(callboard_mirror_sources_failing) > ${sources}`,
      summary: 'A source of the mirror fails',
      description: '{{ $value }} sources had no good import for more than a day; what they name is not followed.',
    }),
  ],
}
