import type { Row } from '../panels.ts'
import { perSecond, quantile } from '../promql.ts'

const HTTP = 'callboard_http_request_duration_seconds'
const OPERATION = 'callboard_operation_duration_seconds'

export const requests: Row = {
  title: 'Requests',
  panels: [
    {
      title: 'Requests by operation',
      description: 'Answers of the gateway per second. `none` is pages and unknown paths.',
      unit: 'reqps',
      queries: [{ expr: perSecond(`${HTTP}_count`, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Failures by operation',
      description: 'Answers with 5xx per second.',
      unit: 'reqps',
      queries: [
        { expr: perSecond(`${HTTP}_count{status=~"5.."}`, 'operation, status'), legend: '{{operation}} {{status}}' },
      ],
    },
    {
      title: 'Latency by operation, 95th percentile',
      description: 'From the request to the end of its answer, as the client feels it.',
      unit: 's',
      queries: [{ expr: quantile(0.95, HTTP, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Handlers, 95th percentile',
      description: 'Time within the service that owns the operation; the rest of the latency is the way to it.',
      unit: 's',
      queries: [{ expr: quantile(0.95, OPERATION, 'operation'), legend: '{{operation}}' }],
    },
    {
      title: 'Refusals and faults',
      description: 'Outcomes of handlers other than ok: refusal codes, and fault for unexpected errors.',
      unit: 'reqps',
      width: 24,
      queries: [
        {
          expr: perSecond(`${OPERATION}_count{outcome!="ok"}`, 'operation, outcome'),
          legend: '{{operation}} {{outcome}}',
        },
      ],
    },
  ],
}
