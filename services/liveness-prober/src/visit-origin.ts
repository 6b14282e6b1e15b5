import { SECOND_MS } from '@callboard/values'
import { guardedOrigin } from './guarded-fetch/index.ts'
import type { ProberKit } from './kit.ts'
import { probeEndpoint } from './probe-endpoint.ts'
import { type Check, check, recordChecks } from './record-checks.ts'
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
  const { config, clock, db } = kit
  const before = new Date(clock.now() + config.PROBE_INTERVAL_MS * TAKE_ALONG)
  const origin = guardedOrigin(new URL(lease.origin), kit.parts.guard)
  const unwritten: Check[] = []
  const write = async () => recordChecks(kit, lease, unwritten.splice(0))
  let writtenAt = performance.now()
  let leasedAt = performance.now()
  try {
    for (const target of await dueTargets(db, lease.origin, before, MAX_PER_VISIT)) {
      if (signal.aborted) break
      if (unwritten.length >= CHECKS_AT_ONCE || performance.now() - writtenAt > LONGEST_UNWRITTEN_MS) {
        await write()
        writtenAt = performance.now()
      }
      // An endpoint takes at most two requests; what is left of the lease always covers them.
      if (performance.now() - leasedAt + 2 * config.PROBE_TIMEOUT_MS > config.PROBE_LEASE_MS / 2) {
        if (!(await renewLease(db, lease, config.PROBE_LEASE_MS))) return
        leasedAt = performance.now()
      }
      const startedAt = clock.now()
      const endpoint = {
        url: new URL(target.url),
        method: target.method,
        inputSchema: target.input_schema ?? undefined,
      }
      const probed = await probeEndpoint(origin, endpoint, kit.parts.known, signal)
      const checked = check(kit, lease, target, probed, startedAt)
      unwritten.push(checked)
      if (probed.state === 'rate_limited') {
        await write()
        await postpone(db, lease, new Date(checked.nextDueAt))
        return
      }
    }
    await write()
  } catch (error) {
    if (signal.aborted) return await write()
    // What we could not write down was still a call to a stranger: it is not repeated at once.
    await postpone(db, lease, new Date(clock.now() + config.PROBE_INTERVAL_MS))
    throw error
  } finally {
    await origin.close()
    await releaseLease(db, lease)
  }
}
