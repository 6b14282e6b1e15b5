import { SECOND_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { rateLimits } from './domain/rate-limits.ts'
import { guardedOrigin } from './guarded-fetch/index.ts'
import { MAX_REQUESTS } from './probe-endpoint.ts'
import { probeResources } from './probe-resources.ts'
import { notCalled, probeTarget } from './probe-target.ts'
import { type Check, check, endVisit, recordChecks } from './record-checks.ts'
import { type Lease, releaseLease, renewLease } from './store/origin.repository.ts'
import { dueResourceProbes } from './store/resource-probe.repository.ts'
import { dueTargets, postpone } from './store/target.repository.ts'
import { unsolicitedCalls } from './unsolicited-calls.ts'
import type { Visit } from './visit.ts'

/** Endpoints that come due within this share of an interval are taken along. */
const TAKE_ALONG = 0.1
const MAX_PER_VISIT = 100

/** So many checks are written down at once, and none waits longer for it than this. */
const CHECKS_AT_ONCE = 10
const LONGEST_UNWRITTEN_MS = 2 * SECOND_MS

/**
 * Checks the endpoints of a leased origin over one connection, one after another, then the resources of it that are to
 * be probed once, and gives the lease back.
 * A visit ends early when the lease was lost, the origin asks for fewer requests, or the signal aborts; what was not
 * checked stays due, and comes first next time. An origin that asks for fewer requests rests for one interval, whatever
 * its endpoints asked for: each of them rests for that by itself.
 */
export async function visitOrigin(ctx: ProberContext, lease: Lease, signal: AbortSignal): Promise<void> {
  const origin = guardedOrigin(new URL(lease.origin), ctx.resources.guard)
  const unwritten: Check[] = []
  const unsolicited = unsolicitedCalls(ctx, origin)
  try {
    const visit = { lease, origin, limits: rateLimits(), unsolicited, signal }
    let isLimited = await checkDue(ctx, visit, unwritten)
    const now = new Date(ctx.clock.now())
    const asked = isLimited ? [] : await dueResourceProbes(ctx.db, lease.origin, now, MAX_PER_VISIT)
    if (asked.length > 0) {
      await recordChecks(ctx, lease, unwritten.splice(0))
      isLimited = await probeResources(ctx, visit, asked)
    }
    await origin.close()
    const restUntil = isLimited ? new Date(ctx.clock.now() + ctx.config.PROBE_INTERVAL_MS) : undefined
    await endVisit(ctx, lease, unwritten.splice(0), { restUntil, aloneForMs: unsolicited.restMs() })
  } catch (error) {
    await origin.close()
    if (signal.aborted) return await endVisit(ctx, lease, unwritten, { aloneForMs: unsolicited.restMs() })
    // What we could not write down was still a call to a third party: it is not repeated at once.
    try {
      await postpone(ctx.db, lease, new Date(ctx.clock.now() + ctx.config.PROBE_INTERVAL_MS))
    } finally {
      await releaseLease(ctx.db, lease, unsolicited.restMs())
    }
    throw error
  }
}

/**
 * Checks what is due and writes it down as it grows.
 * @param unwritten where checks wait to be written down
 * @returns whether the origin asks for fewer requests
 */
async function checkDue(ctx: ProberContext, visit: Visit, unwritten: Check[]): Promise<boolean> {
  const { lease, limits, unsolicited, signal } = visit
  const { config, clock, db } = ctx
  const before = new Date(clock.now() + config.PROBE_INTERVAL_MS * TAKE_ALONG)
  let writtenAt = performance.now()
  let leasedAt = performance.now()
  for (const target of await dueTargets(db, lease.origin, before, MAX_PER_VISIT)) {
    if (signal.aborted) return false
    if (unwritten.length >= CHECKS_AT_ONCE || performance.now() - writtenAt > LONGEST_UNWRITTEN_MS) {
      await recordChecks(ctx, lease, unwritten.splice(0))
      writtenAt = performance.now()
    }
    if (target.mirrored && unsolicited.isOver()) return false
    const mayCall = !target.mirrored || (await unsolicited.mayCall(new URL(target.url), signal))
    if (signal.aborted) return false
    if (mayCall === undefined) continue
    // What is left of the lease always covers the requests of one endpoint.
    if (performance.now() - leasedAt + MAX_REQUESTS * config.PROBE_TIMEOUT_MS > config.PROBE_LEASE_MS / 2) {
      if (!(await renewLease(db, lease, config.PROBE_LEASE_MS))) return false
      leasedAt = performance.now()
    }
    const startedAt = clock.now()
    const probed = mayCall === true ? await probeTarget(ctx, visit, target) : notCalled(mayCall)
    if (target.mirrored && mayCall === true) unsolicited.ended()
    unwritten.push(check(ctx, lease, { target, probed, startedAt }))
    if (limits.note(probed.state === 'rate_limited')) return true
  }
  return false
}
