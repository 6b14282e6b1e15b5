import type { livenessProber } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { ProberHandler } from '../context.ts'
import { rollingWeek } from '../domain/rolling-week.ts'
import { checkDays } from '../store/check-day.repository.ts'
import { targetsOf } from '../store/target.repository.ts'

export const targets: ProberHandler<typeof livenessProber.targets> = async ({ slug }, ctx) => {
  const now = ctx.clock.now()
  const [watched, days] = await Promise.all([targetsOf(ctx.db, slug), checkDays(ctx.db, [slug], now)])
  return {
    targets: watched.map(({ url, method, state, last_checked_at, next_due_at }) => ({
      url,
      method,
      state,
      lastCheckedAt: last_checked_at && isoTime(last_checked_at.getTime()),
      nextDueAt: isoTime(next_due_at.getTime()),
      liveness: rollingWeek(
        days.filter((day) => day.url === url && day.method === method),
        now,
      ),
    })),
  }
}
