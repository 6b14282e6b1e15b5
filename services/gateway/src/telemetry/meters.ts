import { LIMITS, tools } from '@callboard/contract'
import { histogramWithExemplars } from '@callboard/runtime'
import { Counter, Gauge, type Histogram, type Registry } from 'prom-client'
import { type CounterStoreMeters, counterStoreMeters } from './counter-store.ts'

/** The gateway's metrics in addition to the usual ones. */
export interface GatewayMeters {
  /** `operation` is `none` for pages, and if no route matched. */
  readonly requestSeconds: Histogram<'operation' | 'status'>
  /** `class` is a limit class, or `guesses` for unknown credentials. */
  readonly limitsRefused: Counter<'class'>
  /** `status` is that with which the tool's route would have answered. */
  readonly toolCalls: Counter<'operation' | 'status'>
  readonly counterStore: CounterStoreMeters
  readonly streamsOpen: Gauge
}

/** The class of unknown credentials, which no operation names. */
export const GUESSES = 'guesses'

export function gatewayMeters(registry: Registry): GatewayMeters {
  const limitsRefused = new Counter({
    name: 'callboard_limits_refused_total',
    help: 'Requests that were refused because their caller or address has used up a limit class; the class guesses counts lookups of unknown credentials.',
    labelNames: ['class'],
    registers: [registry],
  })
  for (const name of [...Object.keys(LIMITS), GUESSES]) limitsRefused.inc({ class: name }, 0)
  const toolCalls = new Counter({
    name: 'callboard_tool_calls_total',
    help: 'Calls of operations as tools of the MCP server and skills of the agent-to-agent server, by the status that the route would have answered with.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  for (const { op } of tools) toolCalls.inc({ operation: op.id, status: String(op.http.ok) }, 0)
  return {
    requestSeconds: histogramWithExemplars(registry, {
      name: 'callboard_http_request_duration_seconds',
      help: 'Time from the request to the end of the answer, by operation and status; 499: the connection ended before it began.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    }),
    limitsRefused,
    toolCalls,
    counterStore: counterStoreMeters(registry),
    streamsOpen: new Gauge({
      name: 'callboard_http_streams_open',
      help: 'Streamed answers that this gateway is sending now, from their head until the last byte or until the client disconnects.',
      registers: [registry],
    }),
  }
}
