import { x402Facilitator } from '@callboard/contract'
import { ownOffer, ownRequirements, ownV1Offer } from '../domain/own-offer.ts'
import type { FacilitatorHandler, FacilitatorKit } from '../kit.ts'

export const offer: FacilitatorHandler<typeof x402Facilitator.offer> = async (
  { operation, resourceUrl, error },
  ctx,
) => {
  if (operation !== x402Facilitator.decode.id) throw new Error(`${operation} is not sold by the facilitator`)
  return decodeOffer(ctx, resourceUrl, error)
}

/** What the decoder costs, on every chain we settle on. */
export const decodeRequirements = ({ parts, config }: FacilitatorKit) =>
  ownRequirements(parts.chains, { priceUsd: config.DECODE_PRICE_USD, payTo: config.DECODE_PAY_TO })

/** The decoder's offer in both versions. */
export function decodeOffer(kit: FacilitatorKit, resourceUrl: string, error?: string) {
  const requirements = decodeRequirements(kit)
  const resource = { url: resourceUrl, description: x402Facilitator.decode.summary }
  return {
    paymentRequired: ownOffer(requirements, resource, error),
    v1: kit.config.DECODE_V1 ? ownV1Offer(requirements, resource, kit.parts.v1Networks, error) : null,
  }
}
