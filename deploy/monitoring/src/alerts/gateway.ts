import { alert, type Group, whereConfigured } from './alert.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const failing = (window: string) =>
  `sum(rate(${HTTP}_count{status=~"5.."}[${window}])) / sum(rate(${HTTP}_count[${window}]))`
const READS = 'operation=~"catalog[.].+"'

export const gateway: Group = {
  name: 'gateway',
  alerts: [
    // 99.9 % of requests over 30 days are not the server's failure. The first pair of windows burns the month's budget in
    // two days, the second one in five. Below one request in ten seconds a single failure would say nothing.
    alert({
      name: 'GatewayErrorBudgetBurn',
      severity: 'critical',
      parameters: {
        for: '2m',
        budget: 0.001,
        fastFactor: 14.4,
        fastWindow: '1h',
        fastShortWindow: '5m',
        slowFactor: 6,
        slowWindow: '6h',
        slowShortWindow: '30m',
        requestsPerSecond: 0.1,
      },
      expr: (p) => `(
  (
    ${failing(p.fastWindow)} > ${p.fastFactor} * ${p.budget}
    and
    ${failing(p.fastShortWindow)} > ${p.fastFactor} * ${p.budget}
  )
  or
  (
    ${failing(p.slowWindow)} > ${p.slowFactor} * ${p.budget}
    and
    ${failing(p.slowShortWindow)} > ${p.slowFactor} * ${p.budget}
  )
)
and
sum(rate(${HTTP}_count[${p.fastShortWindow}])) > ${p.requestsPerSecond}`,
      summary: 'The gateway answers too many requests with 5xx',
      description:
        '{{ $value | humanizePercentage }} of requests fail; at this pace the month’s error budget is gone within days.',
      sight: whereConfigured(`${HTTP}_count`),
    }),
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
