import type { ProbeState } from '@callboard/contract'

/** What a check of an endpoint saw, in the words of a buyer. */
export const SEEN: Readonly<Record<ProbeState, string>> = {
  ok_402: 'it asked for a payment with x402',
  ok_402_no_accepts: 'it answered 402 without an offer that can be paid',
  wrong_version: 'it asked for a payment in a version of x402 that is neither 1 nor 2',
  mpp: 'it asked for a payment with the machine payments protocol only, which Callboard does not pay',
  open: 'it answered without asking for a payment',
  method_refused: 'it refused the method',
  blocked_before_gate: 'it refused our request before it asked for a payment',
  rate_limited: 'it answered that it had too many requests',
  server_error: 'it answered with an error of its server',
  redirect: 'it answered with a redirect',
  tls: 'its certificate or its encryption was not valid',
  dns: 'its name was not found',
  timeout: 'it gave no answer in time',
  unreachable: 'it could not be reached',
  refused_target: 'its address is none that our prober calls',
  too_large: 'its answer was too large to be read',
}
