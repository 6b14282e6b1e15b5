import type { router } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { buy } from '../top-ups/buy.ts'

export const topUp: RouterHandler<typeof router.topUp> = async ({ amount: usd }, ctx) => {
  const { caller, payment } = ctx
  if (!('owner' in caller)) return refuse('owner_required')
  if (!payment) return refuse('invalid_request', { field: 'payment', message: 'There is no payment.' })
  const { owner } = caller
  const bought = await buy(ctx, { payment, owner, usd, keyId: null })
  if (isRefusal(bought)) return bought
  return { result: { status: 'accepted', usd: Number(usd), owner }, settlement: bought.settlement }
}
