import { perSecond, quantile, someOf, total } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'
import { processesOf } from './processes.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const ALL = total(`${HTTP}_count`)
const answered = (statuses: string) => someOf(total(`${HTTP}_count{status=~"${statuses}"}`), ALL)

export const gateway: Dashboard = {
  name: 'gateway',
  title: 'Gateway',
  description: 'The HTTP requests of clients, how long they take, and which are refused.',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'Requests by operation',
          description:
            'Answers per second. `none` stands for pages and unknown paths. A message to `/mcp` or `/a2a` is answered with 200 even where its tool is refused: of tools, the status is that of their own routes.',
          unit: 'reqps',
          queries: [
            { expr: perSecond(`${HTTP}_count`, 'operation'), legend: '{{operation}}' },
            {
              expr: perSecond('callboard_tool_calls_total', 'operation, status'),
              legend: 'tool {{operation}} {{status}}',
            },
          ],
        },
        {
          title: 'Failures',
          description: 'Answers per second with 5xx, in total and by operation.',
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
            'From the request to the end of its answer, over all operations: median, 95th and 99th percentile.',
          unit: 's',
          queries: [
            { expr: quantile(0.5, HTTP, ''), legend: 'p50' },
            { expr: quantile(0.95, HTTP, ''), legend: 'p95' },
            { expr: quantile(0.99, HTTP, ''), legend: 'p99' },
          ],
        },
        {
          title: 'Latency by operation, 95th percentile',
          description: 'From the request to the end of its answer, as the client experiences it.',
          unit: 's',
          width: 12,
          queries: [{ expr: quantile(0.95, HTTP, 'operation'), legend: '{{operation}}' }],
        },
        {
          title: 'Latency of reads',
          description: 'Over the operations of the catalogue: median, 95th and 99th percentile.',
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
            'Answers per second: 400 bad request, 401 and 403 not authorized, 402 payment required, 404 not found, 409 conflict, 429 too many requests.',
          unit: 'reqps',
          queries: ['400', '401', '402', '403', '404', '409', '429'].map((status) => ({
            expr: answered(status),
            legend: status,
          })),
        },
        {
          title: 'Too many requests, by operation',
          description: 'Answers per second with 429: the caller or its address has used up a limit class.',
          unit: 'reqps',
          queries: [
            { expr: answered('429'), legend: 'all' },
            { expr: perSecond(`${HTTP}_count{status="429"}`, 'operation'), legend: '{{operation}}' },
          ],
        },
        {
          title: 'Limits that are used up, by class',
          description:
            'Requests per second that their limit class refused. The class guesses counts lookups of unknown credentials.',
          unit: 'reqps',
          queries: [{ expr: perSecond('callboard_limits_refused_total', 'class'), legend: '{{class}}' }],
        },
        {
          title: 'No service, or none in time',
          description: 'Answers per second with 503 (no process serves the request) and 504 (no answer in time).',
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
          description: 'Gateways that are connected to the bus, and gateways that Redis answers.',
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
