import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { usdText } from '../domain/usd.ts'
import { spendingOf } from '../spending.ts'

export const spentToday: RouterHandler<typeof router.spentToday> = async ({ linkIds }, ctx) => {
  const subjects = linkIds.map((linkId) => `link:${linkId}`)
  const spending = await spendingOf(ctx, subjects, 0n)
  return { spentUsd: Object.fromEntries(linkIds.map((linkId, at) => [linkId, usdText(spending[at]?.spent ?? 0n)])) }
}
