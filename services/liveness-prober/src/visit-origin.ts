import { SECOND_MS } from '@callboard/values'
import { LOOK_EVERY_MS } from './acquire-lease.ts'
import type { ProberContext } from './context.ts'
import { rateLimits } from './domain/rate-limits.ts'
import { guardedOrigin } from './guarded-fetch/index.ts'
import { probeResources } from './probe-resources.ts'
import { notCalled, probeTarget } from './probe-target.ts'
import { type Check, check, endVisit, recordChecks } from './record-checks.ts'
import { type Lease, releaseLease } from './store/origin.repository.ts'
import { dueResourceProbes } from './store/resource-probe.repository.ts'
import { dueTargets, postpone } from './store/target.repository.ts'
import { unsolicitedCalls } from './unsolicited-calls.ts'
import type { EndedBy, Visit } from './visit.ts'

/** Endpoints that come due within this share of an interval are checked too. */
const TAKE_ALONG = 0.1
const MAX_PER_VISIT = 100

/** This many checks are recorded at once, and none waits longer than this to be recorded. */
const CHECKS_AT_ONCE = 10
const LONGEST_UNWRITTEN_MS = 2 * SECOND_MS

/** One visit takes the wait time of a probe on demand divided by this, however much is due. */
const SHARE_OF_WAIT = 2
/** How long the schedule leaves an origin alone after a visit used up its time: enough for a waiting probe to start. */
const MAKES_WAY_MS = 2 * LOOK_EVERY_MS

/**
 * Checks the endpoints of a leased origin over one connection, one after another, then its resources that are to be
 * probed once, and releases the lease.
 * A visit ends early if its time is up, the origin asks for fewer requests, or the signal aborts; what was not checked
 * stays due, and comes first next time. An origin that asks for fewer requests rests for one interval, regardless of
 * what its endpoints asked for: each of them rests for that on its own.
 */
export async function visitOrigin(ctx: ProberContext, lease: Lease, signal: AbortSignal): Promise<void> {
  const origin = guardedOrigin(new URL(lease.origin), ctx.resources.guard)
  const unwritten: Check[] = []
  const unsolicited = unsolicitedCalls(ctx, origin)
  try {
    const endsAt = performance.now() + ctx.config.PROBE_WAIT_MS / SHARE_OF_WAIT
    const isOver = () => performance.now() > endsAt
    const visit = { lease, origin, limits: rateLimits(), unsolicited, signal, isOver }
    let endedBy = await checkDue(ctx, visit, unwritten)
    const now = new Date(ctx.clock.now())
    const asked = endedBy ? [] : await dueResourceProbes(ctx.db, lease.origin, now, MAX_PER_VISIT)
    if (asked.length > 0) {
      await recordChecks(ctx, lease, unwritten.splice(0))
      endedBy = await probeResources(ctx, visit, asked)
    }
    await origin.close()
    const restUntil = endedBy === 'rate_limited' ? new Date(ctx.clock.now() + ctx.config.PROBE_INTERVAL_MS) : undefined
    const aloneForMs = Math.max(unsolicited.restMs(), endedBy === 'time' ? MAKES_WAY_MS : 0)
    await endVisit(ctx, lease, unwritten.splice(0), { restUntil, aloneForMs })
  } catch (error) {
    await origin.close()
    if (signal.aborted) return await endVisit(ctx, lease, unwritten, { aloneForMs: unsolicited.restMs() })
    // A call that we could not record still reached a third party: it is not repeated at once.
    try {
      await postpone(ctx.db, lease, new Date(ctx.clock.now() + ctx.config.PROBE_INTERVAL_MS))
    } finally {
      await releaseLease(ctx.db, lease, unsolicited.restMs())
    }
    throw error
  }
}

/**
 * Checks what is due and records it in batches.
 * @param unwritten checks that are not yet recorded
 */
async function checkDue(ctx: ProberContext, visit: Visit, unwritten: Check[]): Promise<EndedBy> {
  const { lease, limits, unsolicited, signal, isOver } = visit
  const { config, clock, db } = ctx
  const before = new Date(clock.now() + config.PROBE_INTERVAL_MS * TAKE_ALONG)
  let writtenAt = performance.now()
  for (const target of await dueTargets(db, lease.origin, before, MAX_PER_VISIT)) {
    if (signal.aborted) return
    if (unwritten.length >= CHECKS_AT_ONCE || performance.now() - writtenAt > LONGEST_UNWRITTEN_MS) {
      await recordChecks(ctx, lease, unwritten.splice(0))
      writtenAt = performance.now()
    }
    const mayCall = !target.mirrored || (await unsolicited.mayCall(new URL(target.url), signal))
    if (signal.aborted) return
    if (mayCall === undefined) continue
    const startedAt = clock.now()
    const probed = mayCall === true ? await probeTarget(ctx, visit, target) : notCalled(mayCall)
    if (target.mirrored && mayCall === true) unsolicited.ended()
    unwritten.push(check(ctx, lease, { target, probed, startedAt }))
    if (limits.note(probed.state === 'rate_limited')) return 'rate_limited'
    if (isOver()) return 'time'
  }
}
