import type { router } from '@callboard/contract'
import { isoTime, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { dayOf } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { budgetsOf, subjectOf } from '../store/budget.repository.ts'
import { liveKeysOf } from '../store/key.repository.ts'

const usdOrNull = (nano: bigint | null) => (nano === null ? null : usdText(nano))

export const listKeys: RouterHandler<typeof router.listKeys> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const keys = await liveKeysOf(ctx.db, ctx.caller.owner)
  const subjectOfKey = ({ id }: { readonly id: string }) => subjectOf('key', id)
  const budgets = await budgetsOf(ctx.db, keys.map(subjectOfKey), dayOf(ctx.clock.now()))
  const limitOf = (key: { readonly id: string }) => budgets.get(subjectOfKey(key))?.limit ?? null
  return {
    keys: keys.map(({ id, label, source, prefix, createdAt, lastUsedAt }) => ({
      ...{ id, label, source, prefix, dailyLimitUsd: usdOrNull(limitOf({ id })) },
      createdAt: isoTime(createdAt.getTime()),
      lastUsedAt: lastUsedAt && isoTime(lastUsedAt.getTime()),
    })),
  }
}
