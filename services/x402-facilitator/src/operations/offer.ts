import { x402Facilitator } from '@callboard/contract'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'
import { ownOffer, ownRequirements, ownV1Offer } from '../domain/own-offer.ts'

export const offer: FacilitatorHandler<typeof x402Facilitator.offer> = async (
  { operation, resourceUrl, error },
  ctx,
) => {
  if (operation !== x402Facilitator.decode.id) throw new Error(`${operation} is not sold by the facilitator`)
  return { ...decodeOffer(ctx, resourceUrl, error), priceUsd: ctx.config.DECODE_PRICE_USD }
}

/** What the decoder costs, on every chain we settle on. */
export const decodeRequirements = ({ resources, config }: FacilitatorContext) =>
  ownRequirements(resources.chains, {
    priceUsd: config.DECODE_PRICE_USD,
    payTo: config.DECODE_PAY_TO,
    confirmations: resources.decodeConfirmations,
  })

/** The decoder's offer in both versions. */
export function decodeOffer(ctx: FacilitatorContext, resourceUrl: string, error?: string) {
  const requirements = decodeRequirements(ctx)
  const resource = { url: resourceUrl, description: x402Facilitator.decode.summary }
  return {
    paymentRequired: ownOffer(requirements, resource, error),
    v1: ctx.config.DECODE_V1 ? ownV1Offer(requirements, resource, ctx.resources.v1Networks, error) : null,
  }
}
