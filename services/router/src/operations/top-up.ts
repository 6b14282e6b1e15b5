import { router, x402Facilitator } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { noteTopUp } from '../store/top-up.repository.ts'
import { creditTopUp } from '../top-ups/credit.ts'
import { presentedKey } from '../top-ups/presented-key.ts'

/**
 * What is presented is written down before the facilitator is asked, so that a payment that is settled is credited whatever
 * dies between: by this handler, by a repeat, or by the sweep.
 */
export const topUp: RouterHandler<typeof router.topUp> = async ({ amount }, ctx) => {
  const { caller, payment, clock, db } = ctx
  if (!('owner' in caller)) return refuse('owner_required')
  if (!payment) return refuse('invalid_request', { field: 'payment', message: 'There is no payment.' })
  const { owner } = caller
  const { requestFingerprint: fingerprint } = payment
  const presented = presentedKey(payment.payload)
  if (presented) {
    await noteTopUp(db, {
      ...presented,
      ...{ fingerprint, owner, amount: nanoUsdOf(amount) },
      now: new Date(clock.now()),
    })
  }
  const description = router.topUp.summary
  const bought = await ctx.call(
    x402Facilitator.purchase,
    { operation: router.topUp.id, owner, description, priceUsd: amount },
    { payment },
  )
  if (isRefusal(bought)) return bought
  const { paymentKey, settlement } = bought
  const { transaction } = settlement
  await creditTopUp(ctx, { paymentKey, fingerprint, owner, amount: nanoUsdOf(amount), transaction })
  return { result: { status: 'accepted', usd: Number(amount), owner }, settlement }
}
