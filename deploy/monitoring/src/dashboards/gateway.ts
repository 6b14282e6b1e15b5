import { perSecond, quantile, someOf, total } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { processesOf } from './processes.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const ALL = total(`${HTTP}_count`)
const answered = (statuses: string) => someOf(total(`${HTTP}_count{status=~"${statuses}"}`), ALL)

export const gateway: Dashboard = {
  name: 'gateway',
  title: 'Gateway',
  description: 'What clients ask over HTTP, how long it takes, and what they are refused.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by operation',
          description: 'Answers per second. `none` is pages and unknown paths.',
          unit: 'reqps',
          queries: [{ expr: perSecond(`${HTTP}_count`, 'operation'), legend: '{{operation}}' }],
        },
        {
          title: 'Failures',
          description: 'Answers with 5xx per second, all and by operation.',
          unit: 'reqps',
          alert: 'GatewayErrorBudgetBurn',
          queries: [
            { expr: answered('5..'), legend: 'all' },
            {
              expr: perSecond(`${HTTP}_count{status=~"5.."}`, 'operation, status'),
              legend: '{{operation}} {{status}}',
            },
          ],
        },
        {
          title: 'Latency',
          description:
            'From the request to the end of its answer, of all operations: median, 95th and 99th percentile.',
          unit: 's',
          queries: [
            { expr: quantile(0.5, HTTP, ''), legend: 'p50' },
            { expr: quantile(0.95, HTTP, ''), legend: 'p95' },
            { expr: quantile(0.99, HTTP, ''), legend: 'p99' },
          ],
        },
        {
          title: 'Latency by operation, 95th percentile',
          description: 'From the request to the end of its answer, as the client feels it.',
          unit: 's',
          width: 12,
          queries: [{ expr: quantile(0.95, HTTP, 'operation'), legend: '{{operation}}' }],
        },
        {
          title: 'Latency of reads',
          description: 'Of the operations of the catalogue: median, 95th and 99th percentile.',
          unit: 's',
          width: 12,
          alert: 'GatewayReadsSlow',
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantile(share, HTTP, '', 'operation=~"catalog[.].+"'),
            legend: `p${share * 100}`,
          })),
        },
      ],
    },
    {
      title: 'Refusals',
      panels: [
        {
          title: 'Refusals by status',
          description:
            'Answers per second: 400 not understood, 401 and 403 no right to it, 402 to be paid, 404 unknown, 409 in conflict, 429 too many.',
          unit: 'reqps',
          queries: ['400', '401', '402', '403', '404', '409', '429'].map((status) => ({
            expr: answered(status),
            legend: status,
          })),
        },
        {
          title: 'Too many requests, by operation',
          description: 'Answers with 429 per second: a limit class is used up by its caller or its address.',
          unit: 'reqps',
          queries: [
            { expr: answered('429'), legend: 'all' },
            { expr: perSecond(`${HTTP}_count{status="429"}`, 'operation'), legend: '{{operation}}' },
          ],
        },
        {
          title: 'Limits that are used up, by class',
          description:
            'Requests per second that their limit class refused. guesses: looks at credentials that nobody has.',
          unit: 'reqps',
          queries: [{ expr: perSecond('callboard_limits_refused_total', 'class'), legend: '{{class}}' }],
        },
        {
          title: 'No service, or none in time',
          description: 'Answers per second with 503, no process serves it, and 504, no answer in time.',
          unit: 'reqps',
          alert: 'TargetDown',
          queries: ['503', '504'].map((status) => ({ expr: answered(status), legend: status })),
        },
        {
          title: 'Introspection of credentials',
          description: 'Calls per second that the gateway’s cache of credentials could not answer.',
          unit: 'reqps',
          width: 12,
          queries: [
            {
              expr: total('callboard_operation_duration_seconds_count{operation="oauth.introspect"}'),
              legend: 'oauth.introspect',
            },
          ],
        },
        {
          title: 'Connection to the bus and the counters',
          description: 'Gateways that are connected to the bus, and that Redis answers.',
          unit: 'short',
          width: 12,
          alert: 'RedisDown',
          queries: [
            { expr: 'sum(callboard_bus_connected{job=~"gateway|callboard"})', legend: 'bus' },
            { expr: 'sum(callboard_server_up{job=~"gateway|callboard", server="redis"})', legend: 'redis' },
          ],
        },
      ],
    },
    processesOf('gateway'),
  ],
}
