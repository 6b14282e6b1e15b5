import type { Row } from '../panels.ts'
import { perSecond, quantile } from '../promql.ts'

const EVENT = 'callboard_event_duration_seconds'

export const events: Row = {
  title: 'Events',
  panels: [
    {
      title: 'Outboxes',
      description: 'Events written and not yet on the bus, by service.',
      unit: 'short',
      queries: [{ expr: 'max by (service) (callboard_outbox_waiting)', legend: '{{service}}' }],
    },
    {
      title: 'Lag of consumers',
      description: 'Events on the bus that a durable consumer has not finished. 0 where the bus is inside the process.',
      unit: 'short',
      queries: [{ expr: 'max by (consumer, event) (callboard_consumer_lag_events)', legend: '{{consumer}} {{event}}' }],
    },
    {
      title: 'Events handled',
      description: 'Deliveries per second by outcome; repeat is one that had been handled before.',
      unit: 'cps',
      queries: [
        { expr: perSecond(`${EVENT}_count`, 'consumer, event, outcome'), legend: '{{consumer}} {{event}} {{outcome}}' },
      ],
    },
    {
      title: 'Time per event, 95th percentile',
      description: 'Of one delivery, its transaction included.',
      unit: 's',
      queries: [{ expr: quantile(0.95, EVENT, 'consumer, event'), legend: '{{consumer}} {{event}}' }],
    },
    {
      title: 'Given up',
      description: 'Events that became dead letters within the hour.',
      unit: 'short',
      queries: [
        {
          expr: 'sum by (consumer, event) (increase(callboard_events_buried_total[1h]))',
          legend: '{{consumer}} {{event}}',
        },
      ],
    },
    {
      title: 'Jobs',
      description: 'Runs of recurring jobs per second.',
      unit: 'cps',
      queries: [
        {
          expr: perSecond('callboard_job_runs_total', 'service, job, outcome'),
          legend: '{{service}} {{job}} {{outcome}}',
        },
      ],
    },
  ],
}
