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
      description:
        'The oldest check is {{ $value | humanizeDuration }} late, so the liveness shown is from old checks.',
    }),
    alert({
      name: 'MirrorSourceFailing',
      severity: 'warning',
      parameters: { for: '30m', sources: 0 },
      expr: ({ sources }) => `max(callboard_mirror_sources_failing) > ${sources}`,
      summary: 'A source of the mirror fails',
      description:
        '{{ $value }} sources had no successful import for more than a day; changes to the resources that they name are not followed.',
    }),
  ],
}
