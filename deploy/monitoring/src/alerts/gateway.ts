import { alert, type Group } from './alert.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const READS = 'operation=~"catalog[.].+"'

export const gateway: Group = {
  name: 'gateway',
  alerts: [
    alert({
      name: 'GatewayReadsSlow',
      severity: 'warning',
      parameters: { for: '10m', window: '10m', share: 0.05, requestsPerSecond: 0.1 },
      expr: (p) => `1 - sum(rate(${HTTP}_bucket{${READS}, le="0.25"}[${p.window}]))
  / sum(rate(${HTTP}_count{${READS}}[${p.window}])) > ${p.share}
and
sum(rate(${HTTP}_count{${READS}}[${p.window}])) > ${p.requestsPerSecond}`,
      summary: 'Reads of the directory are slow',
      description: '{{ $value | humanizePercentage }} of reads take longer than a quarter of a second.',
    }),
  ],
}
