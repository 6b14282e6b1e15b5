import { SECOND_MS } from '@callboard/values'
import { type GuardedOrigin, guardedOrigin } from './guarded-fetch/index.ts'
import type { ProberKit } from './kit.ts'
import { probeEndpoint } from './probe-endpoint.ts'
import { type Check, check, endVisit, recordChecks } from './record-checks.ts'
import { type Lease, releaseLease, renewLease } from './store/origin.repository.ts'
import { dueTargets, postpone } from './store/target.repository.ts'

/** Endpoints that come due within this share of an interval are taken along. */
const TAKE_ALONG = 0.1
const MAX_PER_VISIT = 100

/** So many checks are written down at once, and none waits longer for it than this. */
const CHECKS_AT_ONCE = 10
const LONGEST_UNWRITTEN_MS = 2 * SECOND_MS

/**
 * Checks the endpoints of a leased origin over one connection, one after another, and gives the lease back.
 * A visit ends early when the lease was lost, the origin asks for fewer requests, or the signal aborts; what was not
 * checked stays due.
 */
export async function visitOrigin(kit: ProberKit, lease: Lease, signal: AbortSignal): Promise<void> {
  const origin = guardedOrigin(new URL(lease.origin), kit.parts.guard)
  const unwritten: Check[] = []
  try {
    const restUntil = await checkDue(kit, lease, origin, unwritten, signal)
    await origin.close()
    await endVisit(kit, lease, unwritten.splice(0), restUntil)
  } catch (error) {
    await origin.close()
    if (signal.aborted) return await endVisit(kit, lease, unwritten)
    // What we could not write down was still a call to a stranger: it is not repeated at once.
    try {
      await postpone(kit.db, lease, new Date(kit.clock.now() + kit.config.PROBE_INTERVAL_MS))
    } finally {
      await releaseLease(kit.db, lease)
    }
    throw error
  }
}

/**
 * Checks what is due and writes it down as it grows.
 * @param unwritten where checks wait to be written down
 * @returns until when the origin asks to be left alone, if it does
 */
async function checkDue(
  kit: ProberKit,
  lease: Lease,
  origin: GuardedOrigin,
  unwritten: Check[],
  signal: AbortSignal,
): Promise<Date | undefined> {
  const { config, clock, db } = kit
  const before = new Date(clock.now() + config.PROBE_INTERVAL_MS * TAKE_ALONG)
  let writtenAt = performance.now()
  let leasedAt = performance.now()
  for (const target of await dueTargets(db, lease.origin, before, MAX_PER_VISIT)) {
    if (signal.aborted) return undefined
    if (unwritten.length >= CHECKS_AT_ONCE || performance.now() - writtenAt > LONGEST_UNWRITTEN_MS) {
      await recordChecks(kit, lease, unwritten.splice(0))
      writtenAt = performance.now()
    }
    // An endpoint takes at most two requests; what is left of the lease always covers them.
    if (performance.now() - leasedAt + 2 * config.PROBE_TIMEOUT_MS > config.PROBE_LEASE_MS / 2) {
      if (!(await renewLease(db, lease, config.PROBE_LEASE_MS))) return undefined
      leasedAt = performance.now()
    }
    const startedAt = clock.now()
    const endpoint = { url: new URL(target.url), method: target.method, inputSchema: target.input_schema ?? undefined }
    const probed = await probeEndpoint(origin, endpoint, kit.parts.known, signal)
    const checked = check(kit, lease, target, probed, startedAt)
    unwritten.push(checked)
    if (probed.state === 'rate_limited') return new Date(checked.nextDueAt)
  }
  return undefined
}
