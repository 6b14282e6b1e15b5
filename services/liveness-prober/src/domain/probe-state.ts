import type { DataOf, ProbeState, probeCompleted } from '@callboard/contract'

export type Verdict = DataOf<typeof probeCompleted>['verdict']

/** What a state says of an endpoint that is listed as paid: one that charges no longer is down. Neutral checks count neither way. */
export const VERDICTS: Readonly<Record<ProbeState, Verdict>> = {
  ok_402: 'up',
  mpp: 'up',
  rate_limited: 'neutral',
  open: 'down',
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

/** The states in which an endpoint is up. */
export const UP_STATES = (Object.keys(VERDICTS) as ProbeState[]).filter((state) => VERDICTS[state] === 'up')
