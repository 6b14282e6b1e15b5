import type { Row } from '../panels.ts'
import { total } from '../promql.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const UNRESOLVED = 'state=~"claimed|verified|signed|broadcast|preconfirmed"'

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
      description: 'Share of requests answered with 5xx. The budget is one in a thousand.',
      unit: 'percentunit',
      kind: 'stat',
      limits: { orange: 0.001, red: 0.0144 },
      queries: [{ expr: `${total(`${HTTP}_count{status=~"5.."}`)} / ${total(`${HTTP}_count`)}`, legend: '5xx' }],
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
