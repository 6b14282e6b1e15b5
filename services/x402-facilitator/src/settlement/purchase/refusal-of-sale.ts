import { refuse } from '@callboard/values'
import type { Purchase } from './sell.ts'

const PENDING_RETRY_SECONDS = 2

/** A purchase that failed, or is not settled yet. */
type Refused = Exclude<Purchase<unknown>, { readonly kind: 'granted' }>

/**
 * The answer to a purchase that was not granted.
 * @param offer makes the offer of a 402, with what was wrong with the payment
 */
export function refusalOfSale(sale: Refused, offer: (error: string) => object) {
  switch (sale.kind) {
    case 'unpaid': {
      const { error, settlement } = sale
      return refuse('payment_required', { details: { ...offer(error), ...(settlement ? { settlement } : {}) } })
    }
    case 'pending':
      return refuse('settlement_pending', {
        message: 'The payment was sent, but its outcome is not known yet. Repeat the request with the same payment.',
        details: { settlement: sale.settlement },
        retryAfterSeconds: PENDING_RETRY_SECONDS,
      })
    case 'conflict':
      return refuse('payment_conflict', { message: 'The payment or its identifier was used for a different request.' })
    case 'malformed_identifier':
      return refuse('invalid_request', {
        message: 'extensions["payment-identifier"].info.id must be 16 to 128 letters, digits, "-" or "_".',
        field: 'extensions.payment-identifier.info.id',
      })
  }
}
