import { BusFault } from '@callboard/bus'
import { livenessProber } from '@callboard/contract'
import { pause } from '@callboard/runtime'
import type { ProberContext } from './context.ts'
import { type Lease, leaseOrigin } from './store/origin.repository.ts'

/** How often to check whether the origin is free. Milliseconds. */
export const LOOK_EVERY_MS = 50

/**
 * Leases an origin for a probe on demand, so that it never sees two probes at once, from any replica and for any
 * reason. Waits up to `PROBE_WAIT_MS` while the origin is being visited.
 * @throws BusFault `overloaded` if the origin is busy for longer: nothing was sent, and the caller may ask again
 * @throws the signal's reason if the caller gave up
 */
export async function acquireLease(
  ctx: Pick<ProberContext, 'db' | 'clock' | 'config' | 'newId'>,
  origin: string,
  signal: AbortSignal,
): Promise<Lease> {
  const lease = { origin, token: ctx.newId() }
  const deadline = performance.now() + ctx.config.PROBE_WAIT_MS
  while (!(await leaseOrigin(ctx.db, lease, { now: ctx.clock.now(), leaseMs: ctx.config.PROBE_LEASE_MS }))) {
    if (performance.now() >= deadline)
      throw new BusFault('overloaded', livenessProber.probe.id, 'another probe of this origin is under way')
    await pause(LOOK_EVERY_MS, signal)
    signal.throwIfAborted()
  }
  return lease
}
