import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { setLimit, subjectOf } from '../store/budget.repository.ts'

export const setAllowance: RouterHandler<typeof router.setAllowance> = async ({ linkId, allowanceUsd }, ctx) => {
  await ctx.db
    .transaction()
    .execute((tx) => setLimit(tx, subjectOf('link', linkId), nanoUsdOf(allowanceUsd.toFixed(2))))
  return {}
}
