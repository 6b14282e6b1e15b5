import { type Address, DAY_MS } from '@callboard/values'
import { type ComputeRule, computeOfStake, ruleName } from '../domain/compute-of-stake.ts'
import { countedOn, countedStakes } from '../domain/counted-stakes.ts'
import { dayOf, epochOf } from '../domain/day.ts'
import { replaceDays } from '../store/compute.repository.ts'
import { stakeBalancesOf } from '../store/stake.repository.ts'
import type { RouterTx } from '../store/tables.ts'

/** Past days that a lagging clock may still ask about. */
const DAYS_KEPT = 2

/**
 * Derives an owner's daily limits from all that is known of its stake. When it became known does not matter: a change
 * that arrives late, twice or out of order yields the same days.
 */
export async function recount(tx: RouterTx, owner: Address, rule: ComputeRule, now: number): Promise<void> {
  const first = epochOf(now) - DAYS_KEPT
  const steps = countedStakes(await stakeBalancesOf(tx, owner, new Date(first * DAY_MS)))
  const epochs = [first, ...steps.map(({ epoch }) => epoch).filter((epoch) => epoch > first)]
  const days = epochs.map((epoch) => {
    const stake = countedOn(steps, epoch)
    return { day: dayOf(epoch * DAY_MS), stake, limit: computeOfStake(stake, rule) }
  })
  await replaceDays(tx, owner, { from: dayOf(first * DAY_MS), rule: ruleName(rule), days })
}
