import { operations, x402Facilitator } from '@callboard/contract'
import type { FacilitatorContext, FacilitatorHandler } from '../context.ts'
import { ownOffer, ownRequirements, ownV1Offer, serviceOffer } from '../domain/own-offer.ts'

export const offer: FacilitatorHandler<typeof x402Facilitator.offer> = async (
  { operation, resourceUrl, error, priceUsd },
  ctx,
) => {
  if (priceUsd !== undefined)
    return serviceOfferOf(ctx, { priceUsd, resourceUrl, description: descriptionOf(operation), error })
  if (operation !== x402Facilitator.decode.id) throw new Error(`${operation} is not sold by the facilitator`)
  return { ...decodeOffer(ctx, resourceUrl, error), priceUsd: ctx.config.DECODE_PRICE_USD }
}

/** A product that another of our services sells. */
interface Sold {
  /** Decimal text. */
  readonly priceUsd: string
  readonly resourceUrl: string
  readonly description: string
  readonly error?: string | undefined
}

/** The price of another service's product, on every chain we settle on. */
export const serviceRequirements = ({ resources, config }: FacilitatorContext, priceUsd: string) =>
  ownRequirements(resources.chains, { priceUsd, payTo: config.ROUTER_PAY_TO ?? config.DECODE_PAY_TO })

/** The offer of another service's product, for version 2 clients. */
export function serviceOfferOf(ctx: FacilitatorContext, { priceUsd, resourceUrl, description, error }: Sold) {
  const requirements = serviceRequirements(ctx, priceUsd)
  const paymentRequired = serviceOffer(requirements, { url: resourceUrl, description }, error)
  return { paymentRequired, v1: null, priceUsd }
}

/** The description of an operation, from the contract. */
const descriptionOf = (id: string): string => operations.get(id)?.summary ?? id

/** The decoder's price, on every chain we settle on. */
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
