import type { router } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { dayOf, resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { hashSecret } from '../keys/credential.ts'
import { computeLimitOf, leftOfPaidIn, remaining, type Spending, spendingOf } from '../spending.ts'
import { findBalance } from '../store/balance.repository.ts'
import { budgetsOf, subjectOf } from '../store/budget.repository.ts'
import { keyByHash, paidInOf } from '../store/key.repository.ts'

type Level = 'owner' | 'agent' | 'key' | 'balance'

const NOTHING: Spending = { limit: 0n, spent: 0n, held: 0n }

export const keyStatus: RouterHandler<typeof router.keyStatus> = async ({ routerKey }, ctx) => {
  const key = await keyByHash(ctx.db, hashSecret(routerKey))
  if (!key) return refuse('unauthorized')
  const { label, source, owner, linkId } = key
  const subject = subjectOf('key', key.id)
  const budget = budgetsOf(ctx.db, [subject], dayOf(ctx.clock.now())).then((budgets) => budgets.get(subject))
  const at = resetsAt(ctx.clock.now())
  const shown = (limit: Level, spending: Spending) => ({
    limit,
    limitUsd: usdText(spending.limit),
    spentUsd: usdText(spending.spent),
    heldUsd: usdText(spending.held),
    remainingUsd: usdText(remaining(spending)),
    resetsAt: limit === 'balance' ? null : at,
  })
  const own = (ofKey: Awaited<typeof budget>) =>
    ofKey && ofKey.limit !== null ? [shown('key', { ...ofKey, limit: ofKey.limit })] : []
  if (source === 'balance') {
    const [ofKey, bought] = await Promise.all([budget, findBalance(ctx.db, owner)])
    const balance = bought ? { limit: bought.purchased, spent: bought.spent, held: bought.held } : NOTHING
    return { label, source, limits: [shown('balance', balance), ...own(ofKey)] }
  }
  const [ofKey, paidIn, bought, { limit }, [ofOwner = NOTHING, ofLink = NOTHING]] = await Promise.all([
    budget,
    paidInOf(ctx.db, key.id),
    findBalance(ctx.db, owner),
    computeLimitOf(ctx, owner),
    spendingOf(ctx, [subjectOf('owner', owner), subjectOf('link', linkId ?? '')], 0n),
  ])
  const limits = [shown('owner', { ...ofOwner, limit })]
  if (linkId !== null) limits.push(shown('agent', ofLink))
  if (paidIn.limit > 0n) {
    const remainingUsd = usdText(leftOfPaidIn(remaining(paidIn), bought))
    limits.push({ ...shown('balance', paidIn), remainingUsd })
  }
  return { label, source, limits: [...limits, ...own(ofKey)] }
}
