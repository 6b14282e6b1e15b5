import type { ListingOperation, ShownOffer } from '@callboard/contract'
import { type Address, type Caip2, decimalText, type IsoTime } from '@callboard/values'
import { AddressText } from '@callboard/x402'

/** How a listing wants to be paid: in this token, to its fee splitter. */
export interface Terms {
  readonly network: Caip2
  readonly asset: Address
  readonly decimals: number
  readonly payTo: Address
}

/** The entries that can be paid in a listing's token, whomever they pay. */
export const payableOffers = (accepts: readonly ShownOffer[], { network, asset }: Omit<Terms, 'payTo'>): ShownOffer[] =>
  accepts.filter(
    (offer) => offer.payable && offer.scheme === 'exact' && offer.network === network && offer.asset === asset,
  )

/** The entry that pays the splitter, cheapest first when there are several. */
export const offerToSplitter = (accepts: readonly ShownOffer[], terms: Terms): ShownOffer | undefined =>
  payableOffers(accepts, terms)
    .filter(({ payTo }) => payTo === terms.payTo)
    .sort((one, other) => (BigInt(one.amount) < BigInt(other.amount) ? -1 : 1))[0]

/** Payment and price of an operation, as an offer says them. */
export const paidBy = (
  { scheme, amount, payTo }: ShownOffer,
  { network, asset, decimals }: Omit<Terms, 'payTo'>,
  checkedAt: IsoTime,
): Pick<ListingOperation, 'payment' | 'price'> => ({
  payment: { scheme, network, asset, payTo: AddressText.parse(payTo), amount, checkedAt },
  price: decimalText(BigInt(amount), decimals),
})
