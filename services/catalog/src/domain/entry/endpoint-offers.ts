import type { EndpointOffers, ListingOperation, OfferField, ProbeState, ShownOffer } from '@callboard/contract'
import { isoTime } from '@callboard/values'

/** The offer of an endpoint as the last check read it. */
export interface LiveOffer {
  readonly method: string
  readonly url: string
  readonly state: ProbeState
  readonly accepts: readonly ShownOffer[]
  readonly checkedAt: Date
}

type Stored = NonNullable<EndpointOffers['stored']>

/** The offer of an endpoint as its listing has it, and the one that the endpoint last made. */
export function endpointOffers(
  { price, payment }: Pick<ListingOperation, 'price' | 'payment'>,
  live: LiveOffer | undefined,
): EndpointOffers {
  const stored = payment && price !== null ? { ...payment, price } : null
  return {
    stored,
    live: live ? { accepts: [...live.accepts], state: live.state, checkedAt: isoTime(live.checkedAt.getTime()) } : null,
    differences: stored && live ? differences(stored, live.accepts) : [],
  }
}

/**
 * The differences from the nearest entry: one to the same payee in the same token, else one in that token, else the
 * first payable one; if there is none, the endpoint is not payable.
 */
function differences(stored: Stored, accepts: readonly ShownOffer[]): EndpointOffers['differences'] {
  const payable = accepts.filter(({ payable: isPayable }) => isPayable)
  const inToken = payable.filter(({ network, asset }) => network === stored.network && asset === stored.asset)
  const nearest = inToken.find(({ payTo }) => payTo === stored.payTo) ?? inToken[0] ?? payable[0]
  if (!nearest) return [{ field: 'payable', stored: 'true', live: 'false' }]
  const compared: [OfferField, string | number | undefined, string | number | undefined][] = [
    ['amount', stored.amount, nearest.amount],
    ['scheme', stored.scheme, nearest.scheme],
    ['network', stored.network, nearest.network],
    ['asset', stored.asset, nearest.asset],
    ['payTo', stored.payTo, nearest.payTo],
    ['maxTimeoutSeconds', stored.maxTimeoutSeconds, nearest.maxTimeoutSeconds],
  ]
  return compared.flatMap(([field, was, is]) =>
    was === undefined || is === undefined || was === is ? [] : { field, stored: String(was), live: String(is) },
  )
}
