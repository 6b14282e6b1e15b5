import { hash } from 'node:crypto'
import { acceptsOf, probeCompleted } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { Selectable } from 'kysely'
import type { ProberContext } from './context.ts'
import { nextDue, type Pace } from './domain/due-time.ts'
import { leftOut } from './domain/left-out.ts'
import { VERDICTS, type Verdict } from './domain/probe-state.ts'
import { rollingWeek } from './domain/rolling-week.ts'
import type { Probed } from './probe-endpoint.ts'
import { addChecks, checkDays } from './store/check-day.repository.ts'
import { giveBack, type Lease, lockLease } from './store/origin.repository.ts'
import type { ProberTx, TargetTable } from './store/tables.ts'
import { markChecked, postpone, type TargetKey } from './store/target.repository.ts'

export type Target = Selectable<TargetTable>

/** One check of a visit, before it is recorded. */
export interface Check {
  readonly target: Target
  readonly probed: Probed
  readonly verdict: Verdict
  readonly consecutiveDown: number
  readonly checkedAt: number
  readonly nextDueAt: number
  /** The checks before it that the schedule left out. */
  readonly leftOut: number
  /** Identifies what the endpoint said about itself, by its content. The previous one if nothing was read. */
  readonly describedDigest: string | null
  /** Whether it counts for the week and for failures in a row. */
  readonly counts: boolean
}

/** A target, and the result of probing it. */
export interface ProbedTarget {
  readonly target: Target
  readonly probed: Probed
  /** When the probe began, in milliseconds: intervals count from start to start. */
  readonly startedAt: number
}

/** The consequences of a probe for its target. */
export function check(ctx: ProberContext, lease: Lease, { target, probed, startedAt }: ProbedTarget): Check {
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
    paceOf(ctx.config, target),
  )
  const described = describedIn(probed)
  const describedDigest = described ? digestOf(described) : target.described_digest
  return {
    target,
    probed,
    verdict,
    consecutiveDown,
    checkedAt: ctx.clock.now(),
    nextDueAt,
    leftOut: leftOutBefore(target, verdict, startedAt, ctx.config),
    describedDigest,
    counts: true,
  }
}

function leftOutBefore(target: Target, verdict: Verdict, startedAt: number, config: ProberContext['config']): number {
  const { state, last_checked_at, next_due_at } = target
  const before =
    state && last_checked_at ? { verdict: VERDICTS[state], checkedAt: last_checked_at.getTime() } : undefined
  const { PROBE_INTERVAL_MS } = paceOf(config, target)
  return leftOut({ verdict, startedAt, before, dueAt: next_due_at.getTime() }, PROBE_INTERVAL_MS)
}

/** Mirrored endpoints are checked rarely. */
const paceOf = (
  { PROBE_INTERVAL_MS, PROBE_MIRROR_INTERVAL_MS, PROBE_BACKOFF_MAX_MS }: ProberContext['config'],
  { mirrored }: Pick<Target, 'mirrored'>,
): Pace => ({ PROBE_INTERVAL_MS: mirrored ? PROBE_MIRROR_INTERVAL_MS : PROBE_INTERVAL_MS, PROBE_BACKOFF_MAX_MS })

/** What an x402 challenge says about its endpoint. */
function describedIn({ result }: Probed) {
  const [operation] = result?.kind === 'x402' ? result.operations : []
  if (!operation) return undefined
  const { description, metadataEvidence, inputSchema, inputExample, outputSchema } = operation
  return { description, metadataEvidence, inputSchema, inputExample, outputSchema }
}

const digestOf = (described: object): string => hash('sha256', JSON.stringify(described), 'base64url')

/** A neutral check neither adds to the failures in a row nor resets them. */
function downsInARow(before: number, verdict: Verdict): number {
  if (verdict === 'neutral') return before
  return verdict === 'down' ? before + 1 : 0
}

const keyOf = ({ slug, method, url }: TargetKey) => `${slug} ${method} ${url}`

/**
 * Commits checks: their days, their targets and their events together, and only while the lease holds. Endpoints that
 * are no longer watched are skipped.
 */
export async function recordChecks(ctx: ProberContext, lease: Lease, checks: readonly Check[]): Promise<void> {
  if (checks.length > 0) await underLease(ctx, lease, (tx) => record(ctx, tx, checks))
}

/** How an origin is spared after a visit. */
interface Rest {
  /** None of its endpoints is checked again before this time. */
  readonly restUntil?: Date | undefined
  /** The schedule does not visit it before this many milliseconds have passed. */
  readonly aloneForMs: number
}

/** Commits the last checks of a visit and releases the lease in the same transaction. */
export const endVisit = (
  ctx: ProberContext,
  lease: Lease,
  checks: readonly Check[],
  { restUntil, aloneForMs }: Rest,
): Promise<void> =>
  underLease(ctx, lease, async (tx) => {
    const recorded = await record(ctx, tx, checks)
    if (restUntil) await postpone(tx, lease, restUntil)
    await giveBack(tx, lease, aloneForMs)
    return recorded
  })

/** Counts the recorded checks once they are committed. */
async function underLease(ctx: ProberContext, lease: Lease, write: (tx: ProberTx) => Promise<readonly Check[]>) {
  const recorded = await ctx.db
    .transaction()
    .execute(async (tx) => ((await lockLease(tx, lease)) ? await write(tx) : []))
  for (const { probed } of recorded) ctx.resources.meters.checks.inc({ state: probed.state })
}

/** @returns the recorded checks */
async function record(ctx: ProberContext, tx: ProberTx, checks: readonly Check[]): Promise<readonly Check[]> {
  if (checks.length === 0) return []
  const found = checks.map(
    ({ target: { slug, method, url }, probed, checkedAt, nextDueAt, consecutiveDown, describedDigest }) => ({
      slug,
      method,
      url,
      state: probed.state,
      checkedAt: new Date(checkedAt),
      nextDueAt: new Date(nextDueAt),
      consecutiveDown,
      describedDigest,
    }),
  )
  const watched = new Set((await markChecked(tx, found)).map(keyOf))
  const kept = checks.filter(({ target }) => watched.has(keyOf(target)))
  if (kept.length === 0) return []
  const counted = kept.filter(({ counts }) => counts)
  if (counted.length > 0)
    await addChecks(
      tx,
      counted.map(({ target: { slug, method, url }, probed: { latencyMs }, verdict, checkedAt, leftOut }) => ({
        ...{ slug, method, url, at: checkedAt },
        ...{ verdict, latencyMs, leftOut },
      })),
    )
  await ctx.publishAll(tx, probeCompleted, await tellings(ctx, tx, kept))
  return kept
}

/** The events to publish, one per check; the week is that of the whole listing, including what was just recorded. */
async function tellings(ctx: ProberContext, tx: ProberTx, checks: readonly Check[]) {
  const now = ctx.clock.now()
  const slugs = [...new Set(checks.map(({ target }) => target.slug))]
  const days = Map.groupBy(await checkDays(tx, slugs, now), ({ slug }) => slug)
  const weeks = new Map(slugs.map((slug) => [slug, rollingWeek(days.get(slug) ?? [], now)]))
  return checks.map(({ target, probed, verdict, checkedAt, consecutiveDown, describedDigest }) => {
    const { slug, url, method } = target
    return {
      slug,
      url,
      method,
      state: probed.state,
      finding: probed.finding,
      verdict,
      latencyMs: probed.latencyMs,
      checkedAt: isoTime(checkedAt),
      accepts: acceptsOf(probed),
      conformance: probed.result?.kind === 'x402' ? probed.result.conformance : null,
      ...(describedDigest === target.described_digest ? {} : { described: describedIn(probed) }),
      liveness: weeks.get(slug) ?? rollingWeek([], now),
      consecutiveDown,
    }
  })
}
