import { type Address, DAY_MS } from '@callboard/values'
import { type ComputeRule, computeOfStake, ruleName } from '../domain/compute-of-stake.ts'
import { countedOn, countedStakes } from '../domain/counted-stakes.ts'
import { dayOf, epochOf } from '../domain/day.ts'
import { replaceDays } from '../store/compute.repository.ts'
import { stakeBalancesOf } from '../store/stake.repository.ts'
import type { RouterTx } from '../store/tables.ts'

/** Days that are over but may still be asked about, by a clock that is behind. */
const DAYS_KEPT = 2

/**
 * Makes an owner's limits by day from all that is known of its stake. What is known decides, not when it became known: a change
 * that comes late, twice or out of order leaves the same days.
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
