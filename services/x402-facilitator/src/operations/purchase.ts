import type { x402Facilitator } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { FacilitatorHandler } from '../context.ts'
import { orNotNow } from '../settlement/or-unavailable.ts'
import { refusalOfSale } from '../settlement/purchase/refusal-of-sale.ts'
import { type Purchase, sell } from '../settlement/purchase/sell.ts'
import { waitMsOf } from '../settlement/purchase/wait.ts'
import { serviceOfferOf, serviceRequirements } from './offer.ts'

/**
 * The facilitator only takes the payment; the seller grants what is bought, by the payment's key. So an earlier payment
 * under the same identifier does not answer a purchase of another price.
 */
export const purchase: FacilitatorHandler<typeof x402Facilitator.purchase> = async (input, ctx) => {
  const { operation, owner, description, priceUsd } = input
  const { payment } = ctx
  if (!payment) return refuse('invalid_request', { field: 'payment', message: 'There is no payment.' })
  const requirements = serviceRequirements(ctx, priceUsd)
  const sold = await orNotNow(
    sell(ctx, payment, {
      ...{ operation, owner, v1: false, requestId: ctx.requestId },
      requirements,
      waitMs: waitMsOf(ctx),
      work: async () => ({}),
    }),
  )
  if ('refusal' in sold) return sold
  const sale = ofPrice(sold, requirements)
  if (sale.kind === 'granted') return { paymentKey: sale.key, settlement: sale.settlement }
  const { resourceUrl } = payment
  return refusalOfSale(sale, (error) => serviceOfferOf(ctx, { priceUsd, resourceUrl, description, error }))
}

/** The purchase, if what was settled for it is what is asked for now; else a conflict. */
function ofPrice<Result>(
  sold: Purchase<Result>,
  requirements: ReturnType<typeof serviceRequirements>,
): Purchase<Result> {
  if (sold.kind !== 'granted') return sold
  const { network, amount } = sold.settlement
  return requirements.some((asked) => asked.network === network && asked.amount === amount)
    ? sold
    : { kind: 'conflict' }
}
