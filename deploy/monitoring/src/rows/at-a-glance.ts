import type { Row } from '../panels.ts'
import { total } from '../promql.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const UNRESOLVED = 'state=~"claimed|verified|signed|broadcast|preconfirmed"'

const ALL = total(`${HTTP}_count`)
/** No failure is a zero, and no request is no data. */
const failedShare = `(${total(`${HTTP}_count{status=~"5.."}`)} or 0 * ${ALL}) / (${ALL} > 0)`

export const atAGlance: Row = {
  title: 'At a glance',
  panels: [
    {
      title: 'Requests',
      description: 'HTTP requests per second, all operations.',
      unit: 'reqps',
      kind: 'stat',
      queries: [{ expr: total(`${HTTP}_count`), legend: 'requests' }],
    },
    {
      title: 'Failed',
      description: 'Share of requests answered with 5xx; no data without requests. The budget is one in a thousand.',
      unit: 'percentunit',
      kind: 'stat',
      limits: { orange: 0.001, red: 0.0144 },
      queries: [{ expr: failedShare, legend: '5xx' }],
    },
    {
      title: 'Oldest unresolved payment',
      description: 'Time since the oldest payment without an outcome was claimed.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 60, red: 300 },
      queries: [{ expr: `max(callboard_payments_oldest_seconds{${UNRESOLVED}})`, legend: 'oldest' }],
    },
    {
      title: 'Silence of a chain',
      description:
        'For how long a network has left what a service asks without an answer; it grows while a call hangs.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 15, red: 60 },
      queries: [{ expr: 'max(callboard_chain_silent_seconds)', legend: 'silence' }],
    },
    {
      title: 'Services that are ready',
      description: 'Services with a process that is ready, of nine.',
      unit: 'short',
      kind: 'stat',
      queries: [{ expr: 'count(count by (service) (callboard_service_ready == 1))', legend: 'services' }],
    },
    {
      title: 'Oldest recorded block',
      description: 'Age of the last block whose settlements are recorded, of the chain that is furthest behind.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 30, red: 120 },
      queries: [{ expr: 'max(callboard_indexer_lag_seconds)', legend: 'age' }],
    },
    {
      title: 'Oldest waiting event',
      description: 'Age of the oldest event that no bus has yet, of all outboxes.',
      unit: 's',
      kind: 'stat',
      limits: { orange: 5, red: 60 },
      queries: [{ expr: 'max(callboard_outbox_oldest_seconds)', legend: 'age' }],
    },
    {
      title: 'Dead letters',
      description: 'Events that consumers gave up. npm run operator -- dead-letters list shows them.',
      unit: 'short',
      kind: 'stat',
      limits: { orange: 1, red: 10 },
      queries: [{ expr: 'sum(max by (service) (callboard_dead_letters))', legend: 'events' }],
    },
  ],
}
