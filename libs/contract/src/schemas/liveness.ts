import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** A rolling week of checks of one listing. All are 0 while `checks7d` is 0: then they say nothing. */
export const Liveness = z.object({
  /** Share of counted checks that were up, 0 to 1. */
  uptime7d: z.number().min(0).max(1),
  /** Percentiles of the time from request to the head of the answer. */
  latencyP50Ms: z.number().nonnegative(),
  latencyP95Ms: z.number().nonnegative(),
  checks7d: z.number().int().nonnegative(),
})
export type Liveness = z.output<typeof Liveness>

export const noChecks: Liveness = { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 }

/** How an offer travelled. */
export const OfferTransport = z.enum(['header', 'body', 'header+body', 'www-authenticate', 'none'])

/** How far an endpoint's challenge keeps to the protocol version it declares. */
export const Conformance = z.object({
  declaredVersion: z.number().int().nullable(),
  versionConformant: z.boolean(),
  offerTransport: OfferTransport,
  issues: z.array(z.string()),
})
export type Conformance = z.output<typeof Conformance>

/** What a probe met. Uptime counts the `up` and `down` ones; a 429 says nothing of either. */
export const ProbeState = z.enum([
  'ok_402',
  'ok_402_no_accepts',
  'wrong_version',
  'mpp',
  'open',
  'method_refused',
  'blocked_before_gate',
  'rate_limited',
  'server_error',
  'redirect',
  'tls',
  'dns',
  'timeout',
  'unreachable',
  'refused_target',
  'too_large',
])
export type ProbeState = z.output<typeof ProbeState>

nameSchemas({ Liveness, OfferTransport, Conformance, ProbeState })
