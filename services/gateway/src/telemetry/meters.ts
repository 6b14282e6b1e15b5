import { histogramWithExemplars } from '@callboard/runtime'
import type { Histogram, Registry } from 'prom-client'

/** What the gateway measures beside the usual metrics. */
export interface GatewayMeters {
  /** `operation` is `none` where no route matched and for pages. */
  readonly requestSeconds: Histogram<'operation' | 'status'>
}

export const gatewayMeters = (registry: Registry): GatewayMeters => ({
  requestSeconds: histogramWithExemplars(registry, {
    name: 'callboard_http_request_duration_seconds',
    help: 'Time from request to the end of the answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  }),
})
