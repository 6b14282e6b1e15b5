import { probeCompleted } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { Selectable } from 'kysely'
import { nextDue } from './domain/due-time.ts'
import { VERDICTS, type Verdict } from './domain/probe-state.ts'
import { rollingWeek } from './domain/rolling-week.ts'
import { guardedOrigin } from './guarded-fetch/index.ts'
import type { ProberKit } from './kit.ts'
import { type Probed, probeEndpoint } from './probe-endpoint.ts'
import { addCheck, checkDays } from './store/check-day.repository.ts'
import { type Lease, lockLease, releaseLease, renewLease } from './store/origin.repository.ts'
import type { TargetTable } from './store/tables.ts'
import { dueTargets, markChecked, postpone } from './store/target.repository.ts'

type Target = Selectable<TargetTable>

/** Endpoints that come due within this share of an interval are taken along. */
const TAKE_ALONG = 0.1
const MAX_PER_VISIT = 100

/**
 * Checks the endpoints of a leased origin over one connection, one after another, and gives the lease back.
 * A visit ends early when the lease was lost, the origin asks for fewer requests, or the signal aborts; what was not
 * checked stays due.
 */
export async function visitOrigin(kit: ProberKit, lease: Lease, signal: AbortSignal): Promise<void> {
  const { config, clock, db } = kit
  const before = new Date(clock.now() + config.PROBE_INTERVAL_MS * TAKE_ALONG)
  const origin = guardedOrigin(new URL(lease.origin), kit.parts.guard)
  try {
    for (const target of await dueTargets(db, lease.origin, before, MAX_PER_VISIT)) {
      if (signal.aborted || !(await renewLease(db, lease, config.PROBE_LEASE_MS))) return
      const startedAt = clock.now()
      const endpoint = {
        url: new URL(target.url),
        method: target.method,
        inputSchema: target.input_schema ?? undefined,
      }
      const probed = await probeEndpoint(origin, endpoint, kit.parts.known, signal)
      const dueAt = await record(kit, lease, target, probed, startedAt)
      if (probed.state === 'rate_limited') {
        await postpone(db, lease, dueAt)
        return
      }
    }
  } catch (error) {
    if (signal.aborted) return
    // What we could not write down was still a call to a stranger: it is not repeated at once.
    await postpone(db, lease, new Date(clock.now() + config.PROBE_INTERVAL_MS))
    throw error
  } finally {
    await origin.close()
    await releaseLease(db, lease)
  }
}

/** Commits one check: its day, its target and its event together, and only while the lease holds. */
async function record(kit: ProberKit, lease: Lease, target: Target, probed: Probed, startedAt: number): Promise<Date> {
  const { slug, method, url } = target
  const { state, result, latencyMs, retryAfterMs } = probed
  const verdict = VERDICTS[state]
  const consecutiveDown = downsInARow(target.consecutive_down, verdict)
  const checkedAt = kit.clock.now()
  const due = nextDue(
    {
      origin: lease.origin,
      startedAt,
      isFirst: target.last_checked_at === null,
      consecutiveDown,
      rateLimited: state === 'rate_limited',
      retryAfterMs,
      visit: lease.token,
    },
    kit.config,
  )
  const nextDueAt = new Date(due)
  await kit.db.transaction().execute(async (tx) => {
    if (!(await lockLease(tx, lease))) return
    const found = { state, checkedAt: new Date(checkedAt), nextDueAt, consecutiveDown }
    if (!(await markChecked(tx, target, found))) return
    await addCheck(tx, { slug, method, url, at: checkedAt, verdict, latencyMs })
    await kit.publish(tx, probeCompleted, {
      slug,
      url,
      method,
      state,
      verdict,
      latencyMs,
      checkedAt: isoTime(checkedAt),
      accepts: result?.kind === 'x402' ? result.accepts : null,
      conformance: result?.kind === 'x402' ? result.conformance : null,
      liveness: rollingWeek(await checkDays(tx, slug, checkedAt), checkedAt),
      consecutiveDown,
    })
  })
  return nextDueAt
}

/** A neutral check neither adds to the row of downs nor breaks it. */
function downsInARow(before: number, verdict: Verdict): number {
  if (verdict === 'neutral') return before
  return verdict === 'down' ? before + 1 : 0
}
