import type { x402Facilitator } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { FacilitatorHandler } from '../context.ts'
import { orNotNow } from '../settlement/or-unavailable.ts'
import { refusalOfSale } from '../settlement/purchase/refusal-of-sale.ts'
import { sell } from '../settlement/purchase/sell.ts'
import { waitMsOf } from '../settlement/purchase/wait.ts'
import { serviceOfferOf, serviceRequirements } from './offer.ts'

/** The facilitator takes the payment alone: what is bought, its seller grants by the payment's key. */
export const purchase: FacilitatorHandler<typeof x402Facilitator.purchase> = async (input, ctx) => {
  const { operation, owner, description, priceUsd } = input
  const { payment } = ctx
  if (!payment) return refuse('invalid_request', { field: 'payment', message: 'There is no payment.' })
  const sale = await orNotNow(
    sell(ctx, payment, {
      ...{ operation, owner, v1: false, requestId: ctx.requestId },
      requirements: serviceRequirements(ctx, priceUsd),
      waitMs: waitMsOf(ctx),
      work: async () => ({}),
    }),
  )
  if ('refusal' in sale) return sale
  if (sale.kind === 'granted') return { paymentKey: sale.key, settlement: sale.settlement }
  const { resourceUrl } = payment
  return refusalOfSale(sale, (error) => serviceOfferOf(ctx, { priceUsd, resourceUrl, description, error }))
}
