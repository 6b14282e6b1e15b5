import { isPayableBySome, type ListingOperation, type ShownOffer } from '@callboard/contract'
import { type Address, type Caip2, decimalText, type IsoTime } from '@callboard/values'
import { AddressText, inOrderOfChoice } from '@callboard/x402'
import type { OtherSplitter } from './listing.ts'

/** How a listing wants to be paid: in this token, to its fee splitter. */
export interface Terms {
  readonly network: Caip2
  readonly asset: Address
  readonly decimals: number
  readonly payTo: Address
  /** The listing's own splitters on other chains, which an offer may also name as payee. */
  readonly otherSplitters: readonly OtherSplitter[]
}

type Token = Pick<Terms, 'network' | 'asset' | 'decimals'>

/** The entries that can be paid in a listing's token, to any payee. */
export const payableOffers = (
  accepts: readonly ShownOffer[],
  { network, asset }: Pick<Terms, 'network' | 'asset'>,
): ShownOffer[] =>
  accepts.filter(
    (offer) => offer.payable && offer.scheme === 'exact' && offer.network === network && offer.asset === asset,
  )

/** The entry that pays the splitter; if there are several, the one that a stock client pays, whatever the others cost. */
export const offerToSplitter = (accepts: readonly ShownOffer[], terms: Terms): ShownOffer | undefined =>
  inOrderOfChoice(payableOffers(accepts, terms).filter(({ payTo }) => payTo === terms.payTo))[0]

/**
 * The first way to pay that bypasses the listing's splitters, on any chain: a buyer who takes it pays no fee. On chains
 * other than the listing's, only splitters whose code was proven there count.
 */
export const offerAvoidingSplitter = (accepts: readonly ShownOffer[], terms: Terms): ShownOffer | undefined =>
  accepts.find((offer) => isPayableBySome(offer) && !paysSplitter(offer, terms))

/** Whether an entry pays a splitter of the listing on the entry's chain. */
export const paysSplitter = ({ network, payTo }: ShownOffer, terms: Terms): boolean =>
  [{ network: terms.network, address: terms.payTo }, ...terms.otherSplitters].some(
    (splitter) => splitter.network === network && splitter.address.toLowerCase() === payTo.toLowerCase(),
  )

/** An entry in words. */
export const inWords = ({ scheme, network, asset, amount, payTo }: ShownOffer): string =>
  `${scheme} of ${amount} base units of ${asset} on ${network} to ${payTo}`

/** Payment and price of an operation according to an offer. */
export const paidBy = (
  { scheme, amount, payTo, maxTimeoutSeconds }: ShownOffer,
  { network, asset, decimals }: Token,
  checkedAt: IsoTime,
): Pick<ListingOperation, 'payment' | 'price'> => ({
  payment: {
    ...{ scheme, network, asset, payTo: AddressText.parse(payTo), amount },
    ...(maxTimeoutSeconds === undefined ? {} : { maxTimeoutSeconds }),
    checkedAt,
  },
  price: decimalText(BigInt(amount), decimals),
})

/** Why a listing is not paid by an offer, in words. @param found what the probe found, if it is more than that */
export function problemOf(accepts: readonly ShownOffer[], terms: Terms, found?: string): string {
  const reasons = [...new Set(accepts.flatMap(({ notPayableReason }) => notPayableReason ?? []))]
  const why = reasons.length > 0 ? ` Its ways to pay are refused for: ${reasons.join(', ')}.` : ''
  const missing = `It offers no payable x402 exact payment on ${terms.network} to the fee splitter ${terms.payTo}.`
  return `${found ?? missing}${why}`
}
