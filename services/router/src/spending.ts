import type { Address } from '@callboard/values'
import type { RouterContext } from './context.ts'
import { dayOf } from './domain/day.ts'
import { nanoUsdOf, usdText } from './domain/usd.ts'
import { findBalance } from './store/balance.repository.ts'
import { budgetsOf } from './store/budget.repository.ts'

/** What may be spent a day, and what is; nano-USD. */
export interface Spending {
  readonly limit: bigint
  readonly spent: bigint
  readonly held: bigint
}

/** The Compute of an owner a day. */
export const computeLimit = ({ config }: Pick<RouterContext, 'config'>): bigint => nanoUsdOf(config.COMPUTE_DAILY_USD)

/** What is left; a limit that was lowered below what is spent leaves nothing. */
export const remaining = ({ limit, spent, held }: Spending): bigint => {
  const left = limit - spent - held
  return left > 0n ? left : 0n
}

/** The budgets of one day, of subjects in their order; a subject without a limit of its own has that of `otherwise`. */
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

/** A bought balance as its owner and the agents see it; null when nothing was bought. */
export async function balanceOf({ db }: Pick<RouterContext, 'db'>, owner: Address) {
  const balance = await findBalance(db, owner)
  if (!balance || balance.purchased === 0n) return null
  return {
    purchasedUsd: usdText(balance.purchased),
    spentUsd: usdText(balance.spent),
    remainingUsd: usdText(balance.purchased - balance.spent - balance.held),
  }
}
