import { Counter, Gauge, type Registry } from 'prom-client'

/** The router's metrics. Their names are a contract with dashboards and alerts: docs/metrics.md lists them. */
export interface Metering {
  readonly calls: Counter<'surface' | 'ending'>
  readonly overclaims: Counter
  readonly disagreements: Counter<'upstream'>
  readonly uncredited: Gauge
  readonly topUpFailures: Counter
  readonly attempts: Counter<'upstream' | 'outcome'>
  readonly passedOver: Gauge<'model' | 'upstream'>
  readonly onrampSessions: Counter<'outcome'>
  readonly streamsOpen: Gauge
}

/** `limited`: the day's sessions are used up; `unavailable`: no seller on that network, or the chain is unreachable. */
const ONRAMP_OUTCOMES = ['made', 'failed', 'limited', 'unavailable'] as const
export type OnrampOutcome = (typeof ONRAMP_OUTCOMES)[number]

const SURFACES = ['chat', 'responses', 'messages', 'embeddings'] as const

export function routerMeters(registry: Registry): Metering {
  const calls = new Counter({
    name: 'callboard_router_calls_total',
    help: 'Model calls that were settled, by surface and ending.',
    labelNames: ['surface', 'ending'] as const,
    registers: [registry],
  })
  for (const surface of SURFACES) calls.inc({ surface, ending: 'completed' }, 0)
  return {
    calls,
    overclaims: new Counter({
      name: 'callboard_router_overclaims_total',
      help: 'Calls whose upstream claimed more usage than the hold covers; only the hold was charged.',
      registers: [registry],
    }),
    uncredited: new Gauge({
      name: 'callboard_router_top_ups_uncredited',
      help: 'Top-ups whose payment was presented more than a minute ago, may have moved money, and has neither been credited nor failed.',
      registers: [registry],
    }),
    topUpFailures: new Counter({
      name: 'callboard_router_top_up_failures_total',
      help: 'Failed attempts of the sweep to check a payment: the facilitator did not answer, or the credit could not be written.',
      registers: [registry],
    }),
    onrampSessions: onrampMeter(registry),
    streamsOpen: new Gauge({
      name: 'callboard_router_streams_open',
      help: 'Streamed answers that this replica is forwarding now, from the first byte of their upstream to their settlement.',
      registers: [registry],
    }),
    ...upstreamMeters(registry),
  }
}

function onrampMeter(registry: Registry) {
  const sessions = new Counter({
    name: 'callboard_router_onramp_sessions_total',
    help: 'Onramp sessions that were requested, by outcome: made, failed at the provider, limited for the day, unavailable.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  for (const outcome of ONRAMP_OUTCOMES) sessions.inc({ outcome }, 0)
  return sessions
}

const upstreamMeters = (registry: Registry) => ({
  disagreements: new Counter({
    name: 'callboard_router_usage_disagreements_total',
    help: 'Calls whose upstream claimed more than twice the tokens that we count, out of the few that are compared; they are charged as claimed.',
    labelNames: ['upstream'] as const,
    registers: [registry],
  }),
  attempts: new Counter({
    name: 'callboard_router_upstream_attempts_total',
    help: 'Calls sent to upstreams, by upstream and outcome.',
    labelNames: ['upstream', 'outcome'] as const,
    registers: [registry],
  }),
  passedOver: new Gauge({
    name: 'callboard_router_upstream_passed_over',
    help: '1 while calls of a model pass over an upstream because it fails, 0 while it is used. Each router shows its own view.',
    labelNames: ['model', 'upstream'] as const,
    registers: [registry],
  }),
})
