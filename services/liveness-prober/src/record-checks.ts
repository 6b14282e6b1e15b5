import { probeCompleted } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { Selectable } from 'kysely'
import { nextDue } from './domain/due-time.ts'
import { VERDICTS, type Verdict } from './domain/probe-state.ts'
import { rollingWeek } from './domain/rolling-week.ts'
import type { ProberKit } from './kit.ts'
import type { Probed } from './probe-endpoint.ts'
import { addChecks, checkDays } from './store/check-day.repository.ts'
import { giveBack, type Lease, lockLease } from './store/origin.repository.ts'
import type { ProberTx, TargetTable } from './store/tables.ts'
import { markChecked, postpone, type TargetKey } from './store/target.repository.ts'

export type Target = Selectable<TargetTable>

/** One check of a visit, before it is written down. */
export interface Check {
  readonly target: Target
  readonly probed: Probed
  readonly verdict: Verdict
  readonly consecutiveDown: number
  readonly checkedAt: number
  readonly nextDueAt: number
}

/** What a probe means for its target. @param startedAt when it began: intervals count from start to start */
export function check(kit: ProberKit, lease: Lease, target: Target, probed: Probed, startedAt: number): Check {
  const verdict = VERDICTS[probed.state]
  const consecutiveDown = downsInARow(target.consecutive_down, verdict)
  const nextDueAt = nextDue(
    {
      origin: lease.origin,
      startedAt,
      isFirst: target.last_checked_at === null,
      consecutiveDown,
      rateLimited: probed.state === 'rate_limited',
      retryAfterMs: probed.retryAfterMs,
      visit: lease.token,
    },
    kit.config,
  )
  return { target, probed, verdict, consecutiveDown, checkedAt: kit.clock.now(), nextDueAt }
}

/** A neutral check neither adds to the row of downs nor breaks it. */
function downsInARow(before: number, verdict: Verdict): number {
  if (verdict === 'neutral') return before
  return verdict === 'down' ? before + 1 : 0
}

const keyOf = ({ slug, method, url }: TargetKey) => `${slug} ${method} ${url}`

/**
 * Commits checks: their days, their targets and their events together, and only while the lease holds. Endpoints that
 * are no longer watched are passed over.
 */
export async function recordChecks(kit: ProberKit, lease: Lease, checks: readonly Check[]): Promise<void> {
  if (checks.length > 0) await underLease(kit, lease, (tx) => record(kit, tx, checks))
}

/**
 * Commits the last checks of a visit and gives the lease back in the same step.
 * @param restUntil no endpoint of the origin is checked again before
 */
export const endVisit = (kit: ProberKit, lease: Lease, checks: readonly Check[], restUntil?: Date): Promise<void> =>
  underLease(kit, lease, async (tx) => {
    const recorded = await record(kit, tx, checks)
    if (restUntil) await postpone(tx, lease, restUntil)
    await giveBack(tx, lease)
    return recorded
  })

/** Counts what was recorded once it is committed. */
async function underLease(kit: ProberKit, lease: Lease, write: (tx: ProberTx) => Promise<readonly Check[]>) {
  const recorded = await kit.db
    .transaction()
    .execute(async (tx) => ((await lockLease(tx, lease)) ? await write(tx) : []))
  for (const { probed } of recorded) kit.parts.meters.checks.inc({ state: probed.state })
}

/** @returns those that are recorded */
async function record(kit: ProberKit, tx: ProberTx, checks: readonly Check[]): Promise<readonly Check[]> {
  if (checks.length === 0) return []
  const found = checks.map(({ target: { slug, method, url }, probed, checkedAt, nextDueAt, consecutiveDown }) => ({
    slug,
    method,
    url,
    state: probed.state,
    checkedAt: new Date(checkedAt),
    nextDueAt: new Date(nextDueAt),
    consecutiveDown,
  }))
  const watched = new Set((await markChecked(tx, found)).map(keyOf))
  const kept = checks.filter(({ target }) => watched.has(keyOf(target)))
  if (kept.length === 0) return []
  await addChecks(
    tx,
    kept.map(({ target: { slug, method, url }, probed: { latencyMs }, verdict, checkedAt }) => ({
      slug,
      method,
      url,
      at: checkedAt,
      verdict,
      latencyMs,
    })),
  )
  await kit.publishAll(tx, probeCompleted, await tellings(kit, tx, kept))
  return kept
}

/** What is told of each check; the week is that of its whole listing, with all that was recorded beside it. */
async function tellings(kit: ProberKit, tx: ProberTx, checks: readonly Check[]) {
  const now = kit.clock.now()
  const slugs = [...new Set(checks.map(({ target }) => target.slug))]
  const days = Map.groupBy(await checkDays(tx, slugs, now), ({ slug }) => slug)
  const weeks = new Map(slugs.map((slug) => [slug, rollingWeek(days.get(slug) ?? [], now)]))
  return checks.map(({ target: { slug, url, method }, probed, verdict, checkedAt, consecutiveDown }) => ({
    slug,
    url,
    method,
    state: probed.state,
    verdict,
    latencyMs: probed.latencyMs,
    checkedAt: isoTime(checkedAt),
    accepts: probed.result?.kind === 'x402' ? probed.result.accepts : null,
    conformance: probed.result?.kind === 'x402' ? probed.result.conformance : null,
    liveness: weeks.get(slug) ?? rollingWeek([], now),
    consecutiveDown,
  }))
}
