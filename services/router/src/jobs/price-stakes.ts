import { every } from '@callboard/runtime'
import { MINUTE_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { computeOfStake, ruleName } from '../domain/compute-of-stake.ts'
import { computeRule } from '../spending.ts'
import { daysOfOtherRules, priceDay } from '../store/compute.repository.ts'

const AT_ONCE = 500

/** Recomputes the limits of all stakes by the current rule after the settings changed. */
export const priceStakes = every<RouterContext>('price-stakes', MINUTE_MS, async (ctx, signal) => {
  const rule = computeRule(ctx)
  const name = ruleName(rule)
  while (!signal.aborted) {
    const days = await daysOfOtherRules(ctx.db, name, AT_ONCE)
    for (const { owner, day, stake } of days)
      await priceDay(ctx.db, owner, { day, stake, limit: computeOfStake(stake, rule) }, name)
    if (days.length < AT_ONCE) return
  }
})
