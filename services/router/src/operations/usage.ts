import { fitting } from '@callboard/bus'
import { router } from '@callboard/contract'
import { DAY_MS, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { dayOf, epochOf, resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { balanceOf, computeLimitOf, remaining, spendingOf } from '../spending.ts'
import { subjectOf } from '../store/budget.repository.ts'
import { type Counted, usageOf } from '../store/usage.repository.ts'

/** The most rows that an answer holds. */
const MOST_ROWS = 5_000

export const usage: RouterHandler<typeof router.usage> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  const now = ctx.clock.now()
  const since = new Date((epochOf(now) - router.USAGE_DAYS + 1) * DAY_MS)
  const [{ limit, next, stake }, [ofOwner], balance, { days, rows, count }] = await Promise.all([
    computeLimitOf(ctx, owner),
    spendingOf(ctx, [subjectOf('owner', owner)], 0n),
    balanceOf(ctx, owner),
    usageOf(ctx.db, owner, since, MOST_ROWS),
  ])
  const compute = { spent: 0n, held: 0n, ...ofOwner, limit }
  const shown = fitting(
    rows.map((row) => ({
      ...{ day: row.day, model: row.model, keyId: row.keyId, source: row.source },
      ...usedIn([row]),
    })),
  )
  const more = count - shown.length
  return {
    epoch: epochOf(now),
    compute: {
      limitUsd: usdText(compute.limit),
      spentUsd: usdText(compute.spent),
      heldUsd: usdText(compute.held),
      remainingUsd: usdText(remaining(compute)),
      resetsAt: resetsAt(now),
      nextLimitUsd: usdText(next),
    },
    stake: stake.toString(),
    stakeDecimals: ctx.config.COMPUTE_STAKE_DECIMALS,
    balance,
    totals: {
      epoch: usedIn(days.filter(({ day, source }) => day === dayOf(now) && source === 'compute')),
      compute: usedIn(days.filter(({ source }) => source === 'compute')),
      balance: usedIn(days.filter(({ source }) => source === 'balance')),
    },
    usage: shown,
    ...(more > 0 ? { more } : {}),
  }
}

const NOTHING: Counted = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0n, estimatedCost: 0n }
/** Shares have four decimals. */
const SHARES = 10_000n

function usedIn(rows: readonly Counted[]) {
  const { calls, inputTokens, outputTokens, cost, estimatedCost } = rows.reduce(sum, NOTHING)
  return {
    ...{ calls, inputTokens, outputTokens },
    costUsd: usdText(cost),
    estimatedUsd: usdText(estimatedCost),
    estimatedShare: cost === 0n ? 0 : Number((estimatedCost * SHARES + cost / 2n) / cost) / Number(SHARES),
  }
}

const sum = (one: Counted, other: Counted): Counted => ({
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cost: one.cost + other.cost,
  estimatedCost: one.estimatedCost + other.estimatedCost,
})
