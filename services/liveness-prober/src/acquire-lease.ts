import { pause } from '@callboard/runtime'
import { type Refusal, refuse, SECOND_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { type Lease, leaseOrigin } from './store/origin.repository.ts'

/** How often to check whether the origin is free. Milliseconds. */
export const LOOK_EVERY_MS = 50

/**
 * Leases an origin for a probe on demand, so that it never sees two probes at once, from any replica and for any
 * reason. Waits up to `PROBE_WAIT_MS` while the origin is being visited.
 * @refuses rate_limited if the origin is busy for longer: nothing was sent
 * @throws the signal's reason if the caller gave up
 */
export async function acquireLease(
  ctx: Pick<ProberContext, 'db' | 'clock' | 'config' | 'newId'>,
  origin: string,
  signal: AbortSignal,
): Promise<Lease | Refusal<'rate_limited'>> {
  const lease = { origin, token: ctx.newId() }
  const waitMs = ctx.config.PROBE_WAIT_MS
  const deadline = performance.now() + waitMs
  while (!(await leaseOrigin(ctx.db, lease, { now: ctx.clock.now(), leaseMs: ctx.config.PROBE_LEASE_MS }))) {
    if (performance.now() >= deadline) {
      const message = `Other probes of ${origin} are under way, and an origin is called by one at a time.`
      return refuse('rate_limited', { message, retryAfterSeconds: Math.ceil((waitMs || SECOND_MS) / SECOND_MS) })
    }
    await pause(LOOK_EVERY_MS, signal)
    signal.throwIfAborted()
  }
  return lease
}
