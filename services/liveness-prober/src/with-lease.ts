import { BusFault } from '@callboard/bus'
import { livenessProber } from '@callboard/contract'
import { pause } from '@callboard/runtime'
import type { ProberContext } from './context.ts'
import { type Lease, renewLease } from './store/origin.repository.ts'

/** How often a lease is extended before it would end: a process that pauses for a moment does not lose it. */
const BEATS = 3

/**
 * Works on a leased origin, and keeps the lease for as long as that takes; the work releases it.
 * @param work ends when its signal aborts: with the caller’s, or when the lease is lost to another replica or may be
 */
export async function withLease<T>(
  ctx: Pick<ProberContext, 'db' | 'config' | 'log'>,
  lease: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [lost, done] = [new AbortController(), new AbortController()]
  const kept = keep(ctx, lease, done.signal).then((isKept) => {
    if (!isKept)
      lost.abort(new BusFault('overloaded', livenessProber.probe.id, 'the origin was leased to another probe'))
  })
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    done.abort()
    await kept
  }
}

/** Extends a lease until the signal aborts. @returns false as soon as it is another’s, or may be */
async function keep(
  { db, config, log }: Pick<ProberContext, 'db' | 'config' | 'log'>,
  lease: Lease,
  signal: AbortSignal,
): Promise<boolean> {
  let endsAt = performance.now() + config.PROBE_LEASE_MS
  for (;;) {
    await pause(config.PROBE_LEASE_MS / BEATS, signal)
    if (signal.aborted) return true
    const askedAt = performance.now()
    const isOurs = await renewLease(db, lease, config.PROBE_LEASE_MS).catch((error: unknown) => {
      log.warn({ err: error, origin: lease.origin }, 'a lease could not be prolonged')
    })
    if (isOurs) endsAt = askedAt + config.PROBE_LEASE_MS
    else if (isOurs === false || performance.now() >= endsAt) return signal.aborted
  }
}
