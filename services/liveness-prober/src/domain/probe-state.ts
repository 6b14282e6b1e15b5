import type { DataOf, ProbeState, probeCompleted } from '@callboard/contract'
import type { Challenge } from '@callboard/x402'

export type Verdict = DataOf<typeof probeCompleted>['verdict']

/** What a state says of an endpoint that is listed as payable. Neutral checks count neither way. */
export const VERDICTS: Readonly<Record<ProbeState, Verdict>> = {
  ok_402: 'up',
  mpp: 'up',
  open: 'up',
  rate_limited: 'neutral',
  ok_402_no_accepts: 'down',
  wrong_version: 'down',
  method_refused: 'down',
  blocked_before_gate: 'down',
  server_error: 'down',
  redirect: 'down',
  tls: 'down',
  dns: 'down',
  timeout: 'down',
  unreachable: 'down',
  refused_target: 'down',
  too_large: 'down',
}

/** What callers are told: the state in words, and nothing of what stands behind an address. */
export const MESSAGES: Readonly<Record<ProbeState, string>> = {
  ok_402: 'The endpoint asks for payment with x402.',
  mpp: 'The endpoint asks for payment with the machine payments protocol, which is recognised but not payable here.',
  open: 'The endpoint answers without asking for payment.',
  rate_limited: 'The endpoint limits how often it is called; this check counts neither way.',
  ok_402_no_accepts: 'The endpoint answers 402, but offers no readable way to pay.',
  wrong_version: 'The endpoint’s offer declares an x402 version other than 1 or 2.',
  method_refused: 'The endpoint refuses the method.',
  blocked_before_gate: 'The endpoint refuses the request before it asks for payment.',
  server_error: 'The endpoint answers with a server error.',
  redirect: 'The endpoint redirects; redirects are not followed.',
  tls: 'The endpoint’s TLS certificate or handshake is not accepted.',
  dns: 'The endpoint’s host name does not resolve.',
  timeout: 'The endpoint did not answer in time.',
  unreachable: 'The endpoint could not be reached.',
  refused_target: 'The URL leads to an address or port that is not probed.',
  too_large: 'The endpoint’s answer is larger than is read.',
}

/** The state of an answer, by its status and, at 402, by what it asks for. */
export function stateOf(status: number, challenge: Challenge): ProbeState {
  if (status === 402) return stateOf402(challenge)
  if (status === 429) return 'rate_limited'
  if (status === 405 || status === 501) return 'method_refused'
  if (status >= 500) return 'server_error'
  if (status >= 400) return 'blocked_before_gate'
  return status >= 300 ? 'redirect' : 'open'
}

function stateOf402(challenge: Challenge): ProbeState {
  if (challenge.kind === 'mpp') return 'mpp'
  if (challenge.kind === 'plain') return 'ok_402_no_accepts'
  const { x402Version, accepts } = challenge
  if (x402Version !== null && x402Version !== 1 && x402Version !== 2) return 'wrong_version'
  return accepts.length === 0 ? 'ok_402_no_accepts' : 'ok_402'
}
