import type { ProberContext } from './context.ts'
import { check, type ProbedTarget, recordChecks } from './record-checks.ts'
import type { Lease } from './store/origin.repository.ts'
import { findTarget, type TargetKey } from './store/target.repository.ts'

/** A probe on demand of an endpoint that may be under watch. */
interface Recheck extends Pick<ProbedTarget, 'probed' | 'startedAt'> {
  readonly key: TargetKey
}

/**
 * Records the result of a probe on demand of an endpoint under watch, and publishes it like any check: the directory
 * shows it. Any caller may ask for one, so only one per interval counts: it enters the week and the failures in a row,
 * and postpones the next check by an interval. Further ones only report what they found, so that asking often makes an
 * endpoint look neither better nor worse than it is.
 * @returns when it was checked, in milliseconds; undefined if the endpoint is not under watch
 */
export async function recordRecheck(
  ctx: ProberContext,
  lease: Lease,
  { key, probed, startedAt }: Recheck,
): Promise<number | undefined> {
  const target = await findTarget(ctx.db, key)
  if (!target) return undefined
  const found = check(ctx, lease, { target, probed, startedAt })
  const counts = await isFirstOfInterval(ctx, key)
  const { consecutive_down: consecutiveDown, next_due_at } = target
  const nextDueAt = probed.state === 'rate_limited' ? found.nextDueAt : next_due_at.getTime()
  await recordChecks(ctx, lease, [counts ? found : { ...found, counts: false, consecutiveDown, nextDueAt }])
  return found.checkedAt
}

/** While the counters are unavailable none counts: probes that cannot be bounded do not enter the week. */
async function isFirstOfInterval({ counters, config, log }: ProberContext, key: TargetKey): Promise<boolean> {
  try {
    return await counters.putOnce(`recheck:${key.slug} ${key.method} ${key.url}`, '1', config.PROBE_INTERVAL_MS)
  } catch (error) {
    log.warn({ err: error }, 'the counters are unavailable: a recheck counts for nothing but what it found')
    return false
  }
}
