import { isLess } from './price.ts'

/** What a query requires besides words. All requirements on an offer must hold for one and the same endpoint. */
export interface Filters {
  readonly category?: string | undefined
  readonly network?: string | undefined
  readonly asset?: string | undefined
  readonly payTo?: string | undefined
  /** Decimal USD. */
  readonly maxPrice?: string | undefined
  /** From 0 to 1. */
  readonly minUptime?: number | undefined
}

/** Whether a filter concerns offers. */
export const isOfOffers = ({ network, asset, payTo, maxPrice }: Filters): boolean =>
  network !== undefined || asset !== undefined || payTo !== undefined || maxPrice !== undefined

type Offer = Readonly<{ price: string; payment: Readonly<Record<'network' | 'asset' | 'payTo', string>> }>

/** Whether one endpoint satisfies all filters on offers. */
export function isOffered({ price, payment }: Offer, { network, asset, payTo, maxPrice }: Filters): boolean {
  if (network !== undefined && payment.network !== network) return false
  if (asset !== undefined && payment.asset.toLowerCase() !== asset.toLowerCase()) return false
  if (payTo !== undefined && payment.payTo.toLowerCase() !== payTo.toLowerCase()) return false
  return maxPrice === undefined || !isLess(maxPrice, price)
}
