import type { Address } from '@callboard/values'
import type { RouterContext } from './context.ts'
import { type ComputeRule, computeOfStake } from './domain/compute-of-stake.ts'
import { dayOf } from './domain/day.ts'
import { nanoUsdOf, usdText } from './domain/usd.ts'
import { type Balance, findBalance } from './store/balance.repository.ts'
import { budgetsOf } from './store/budget.repository.ts'
import { computeOf, type OwnerCompute } from './store/compute.repository.ts'

/** What may be spent per day, and what is spent and held; nano-USD. */
export interface Spending {
  readonly limit: bigint
  readonly spent: bigint
  readonly held: bigint
}

/** The rule from the settings. */
export const computeRule = ({ config }: Pick<RouterContext, 'config'>): ComputeRule => ({
  base: nanoUsdOf(config.COMPUTE_DAILY_USD),
  perToken: nanoUsdOf(config.COMPUTE_USD_PER_STAKED_TOKEN),
  decimals: config.COMPUTE_STAKE_DECIMALS,
  most: nanoUsdOf(config.COMPUTE_MAX_DAILY_USD),
})

/** The daily Compute of an owner who never staked. */
export const computeLimit = (ctx: Pick<RouterContext, 'config'>): bigint => computeOfStake(0n, computeRule(ctx))

/** An owner's Compute today and tomorrow, and its whole stake. */
export const computeLimitOf = (
  { config, db, clock }: Pick<RouterContext, 'config' | 'db' | 'clock'>,
  owner: Address,
): Promise<OwnerCompute> => computeOf(db, owner, dayOf(clock.now()), computeLimit({ config }))

/** What is left; a limit lowered below what is spent leaves nothing. */
export const remaining = ({ limit, spent, held }: Spending): bigint => {
  const left = limit - spent - held
  return left > 0n ? left : 0n
}

/**
 * What a Compute key can still draw of what its calls paid in. It is part of its owner's balance, which others may have
 * spent.
 * @param left what the key itself has not spent or held of it
 */
export function leftOfPaidIn(left: bigint, balance: Balance | undefined): bigint {
  const there = balance ? balance.purchased - balance.spent - balance.held : 0n
  return there < left ? there : left
}

/** The budgets of subjects today, in the given order; a subject without its own limit gets `otherwise`. */
export async function spendingOf(
  { db, clock }: Pick<RouterContext, 'db' | 'clock'>,
  subjects: readonly string[],
  otherwise: bigint,
): Promise<Spending[]> {
  const budgets = await budgetsOf(db, [...subjects], dayOf(clock.now()))
  return subjects.map((subject) => {
    const budget = budgets.get(subject)
    return { limit: budget?.limit ?? otherwise, spent: budget?.spent ?? 0n, held: budget?.held ?? 0n }
  })
}

/** A bought balance as shown to its owner and agents; null if nothing was bought. */
export async function balanceOf({ db }: Pick<RouterContext, 'db'>, owner: Address) {
  const balance = await findBalance(db, owner)
  if (!balance || balance.purchased === 0n) return null
  return {
    purchasedUsd: usdText(balance.purchased),
    spentUsd: usdText(balance.spent),
    remainingUsd: usdText(balance.purchased - balance.spent - balance.held),
  }
}
