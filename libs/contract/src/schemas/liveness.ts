import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'

/** A rolling week of checks of one listing. While `checks7d` is 0, all are 0 and mean nothing. */
export const Liveness = z.object({
  /** Share of counted checks that were up, 0 to 1; those left out while an endpoint stayed down count as down. */
  uptime7d: z.number().min(0).max(1),
  /** Percentiles of the time from the request to the response headers. */
  latencyP50Ms: z.number().nonnegative(),
  latencyP95Ms: z.number().nonnegative(),
  checks7d: z.number().int().nonnegative(),
})
export type Liveness = z.output<typeof Liveness>

export const noChecks: Liveness = { uptime7d: 0, latencyP50Ms: 0, latencyP95Ms: 0, checks7d: 0 }

/** Where in the answer an offer was. */
export const OfferTransport = z.enum(['header', 'body', 'header+body', 'www-authenticate', 'none'])

/** How well an endpoint's challenge conforms to the protocol version it declares. */
export const Conformance = z.object({
  declaredVersion: z.number().int().nullable(),
  versionConformant: z.boolean(),
  offerTransport: OfferTransport,
  issues: z.array(z.string()),
})
export type Conformance = z.output<typeof Conformance>

/** What a probe found. Uptime counts `up` and `down` ones; a 429 counts as neither. */
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
