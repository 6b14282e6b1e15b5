import type { router } from '@callboard/contract'
import type { RouterHandler } from '../context.ts'
import { dayOf } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import { spentTodayOfLinks } from '../store/usage.repository.ts'

export const spentToday: RouterHandler<typeof router.spentToday> = async ({ linkIds }, { db, clock }) => {
  const spent = await spentTodayOfLinks(db, linkIds, dayOf(clock.now()))
  const usdOf = (part: 'spent' | 'held') =>
    Object.fromEntries(linkIds.map((linkId) => [linkId, usdText(spent.get(linkId)?.[part] ?? 0n)]))
  return { spentUsd: usdOf('spent'), heldUsd: usdOf('held') }
}
