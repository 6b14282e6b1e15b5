import type { DataOf, ProbeState, probeCompleted } from '@callboard/contract'

export type Verdict = DataOf<typeof probeCompleted>['verdict']

/** The verdict for an endpoint listed as paid: one that no longer charges is down. Neutral checks do not count. */
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
