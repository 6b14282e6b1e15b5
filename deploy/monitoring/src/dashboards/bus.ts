import { perSecond, quantile, someOf, total } from '../promql.ts'
import type { Dashboard } from './dashboard.ts'

const EVENT = 'callboard_event_duration_seconds'
const OPERATION = 'callboard_operation_duration_seconds'
const HTTP = 'callboard_http_request_duration_seconds'
const JOBS = 'callboard_job_runs_total'

export const bus: Dashboard = {
  name: 'bus',
  title: 'Bus and events',
  description: 'Calls between services, and the path of an event from its outbox to its consumers.',
  rows: [
    {
      title: 'Bus',
      panels: [
        {
          title: 'Connected processes',
          description: 'Processes that are connected to the bus, by target.',
          unit: 'short',
          alert: 'NatsDown',
          queries: [{ expr: 'sum by (job) (callboard_bus_connected)', legend: '{{job}}' }],
        },
        {
          title: 'Answers of NATS',
          description: 'Time that NATS takes to answer a request that needs no work; absent if it gives no answer.',
          unit: 's',
          alert: 'ServerSlow',
          queries: [{ expr: 'max by (job) (callboard_server_answer_seconds{server="nats"})', legend: '{{job}}' }],
        },
        {
          title: 'Calls without an answer',
          description:
            'Gateway answers per second with 503 (no process took the call) and 504 (none answered in time).',
          unit: 'reqps',
          queries: ['503', '504'].map((status) => ({
            expr: someOf(total(`${HTTP}_count{status="${status}"}`), total(`${HTTP}_count`)),
            legend: status,
          })),
        },
        {
          title: 'Calls over the bus',
          description: 'Calls that the handlers of all services took per second, and those that ended in a fault.',
          unit: 'reqps',
          width: 12,
          queries: [
            { expr: total(`${OPERATION}_count`), legend: 'all' },
            {
              expr: someOf(total(`${OPERATION}_count{outcome="fault"}`), total(`${OPERATION}_count`)),
              legend: 'faults',
            },
          ],
        },
        {
          title: 'Time of handlers',
          description: 'Over all operations: median, 95th and 99th percentile.',
          unit: 's',
          width: 12,
          queries: [0.5, 0.95, 0.99].map((share) => ({
            expr: quantile(share, OPERATION, ''),
            legend: `p${share * 100}`,
          })),
        },
      ],
    },
    {
      title: 'Events',
      panels: [
        {
          title: 'Outboxes',
          description: 'Events that are written but not yet on the bus, by service.',
          unit: 'short',
          queries: [{ expr: 'max by (service) (callboard_outbox_waiting)', legend: '{{service}}' }],
        },
        {
          title: 'Oldest waiting event',
          description: 'Its age, by service; it grows while the relay or the bus stands still.',
          unit: 's',
          alert: 'OutboxStuck',
          queries: [{ expr: 'max by (service) (callboard_outbox_oldest_seconds)', legend: '{{service}}' }],
        },
        {
          title: 'Lag of consumers',
          description:
            'Events on the bus that a durable consumer has not finished. 0 where the bus is inside the process.',
          unit: 'short',
          alert: 'ConsumerLagging',
          queries: [
            { expr: 'max by (consumer, event) (callboard_consumer_lag_events)', legend: '{{consumer}} {{event}}' },
          ],
        },
        {
          title: 'Delivered again',
          description:
            'Events that were delivered to a durable consumer more than once and that it has not finished, by consumer and event.',
          unit: 'short',
          queries: [
            {
              expr: 'max by (consumer, event) (callboard_consumer_redelivered_events)',
              legend: '{{consumer}} {{event}}',
            },
          ],
        },
        {
          title: 'What the stream keeps',
          description:
            'Bytes of all events that NATS keeps, including handled ones, and the most that it may keep; a limit of 0 means no limit.',
          unit: 'bytes',
          queries: [
            { expr: 'max by (stream) (callboard_stream_bytes)', legend: '{{stream}}' },
            { expr: 'max by (stream) (callboard_stream_limit_bytes)', legend: 'limit of {{stream}}' },
          ],
        },
        {
          title: 'Events in the stream',
          description: 'Events that NATS keeps, whether or not they have been handled.',
          unit: 'short',
          queries: [{ expr: 'max by (stream) (callboard_stream_events)', legend: '{{stream}}' }],
        },
        {
          title: 'Events handled',
          description: 'Deliveries per second that were handled, by consumer and event.',
          unit: 'cps',
          queries: [{ expr: perSecond(`${EVENT}_count`, 'consumer, event'), legend: '{{consumer}} {{event}}' }],
        },
        {
          title: 'Repeats and failures',
          description:
            'Deliveries per second of events that were already handled, and deliveries that failed and will be repeated.',
          unit: 'cps',
          queries: ['repeat', 'failed'].map((outcome) => ({
            expr: someOf(total(`${EVENT}_count{outcome="${outcome}"}`), total(`${EVENT}_count`)),
            legend: outcome,
          })),
        },
        {
          title: 'Time per event, 95th percentile',
          description: 'Time of one delivery, including its transaction.',
          unit: 's',
          queries: [{ expr: quantile(0.95, EVENT, 'consumer, event'), legend: '{{consumer}} {{event}}' }],
        },
        {
          title: 'Dead letters',
          description: 'Events that a consumer gave up and keeps, by service.',
          unit: 'short',
          alert: 'DeadLettersPresent',
          queries: [{ expr: 'max by (service) (callboard_dead_letters)', legend: '{{service}}' }],
        },
        {
          title: 'Jobs',
          description: 'Runs of recurring jobs per second, by service.',
          unit: 'cps',
          queries: [{ expr: perSecond(JOBS, 'service'), legend: '{{service}}' }],
        },
        {
          title: 'Jobs that failed',
          description: 'Runs per second that ended in an error; each job is retried at its next turn.',
          unit: 'cps',
          queries: [
            { expr: someOf(total(`${JOBS}{outcome="failed"}`), total(JOBS)), legend: 'all' },
            { expr: `${perSecond(`${JOBS}{outcome="failed"}`, 'service, job')} > 0`, legend: '{{service}} {{job}}' },
          ],
        },
      ],
    },
  ],
}
