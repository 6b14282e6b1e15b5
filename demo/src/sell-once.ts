import { SettleError } from '@x402/core/types'
import type { x402ResourceServer } from '@x402/express'

interface Presented {
  readonly payload: { readonly authorization?: { readonly from?: string; readonly nonce?: string } }
}

const keyOf = ({ payload: { authorization } }: Presented) =>
  `${authorization?.from} ${authorization?.nonce}`.toLowerCase()

/**
 * Has a server take each payment once. A facilitator answers every request for a payment alike, so that a lost answer can
 * be asked for again, and the stock middleware serves a call for each success. A payment whose settlement has no outcome
 * yet is not verified again: once it is settled, `verify` would call it used. Several processes need a table for this.
 */
export function sellOnce(server: x402ResourceServer): void {
  const taken = new Set<string>()
  const underWay = new Set<string>()
  server.onBeforeVerify(async ({ paymentPayload }) =>
    underWay.has(keyOf(paymentPayload)) ? { skip: true, result: { isValid: true } } : undefined,
  )
  server.onBeforeSettle(async ({ paymentPayload }) => {
    const key = keyOf(paymentPayload)
    if (taken.has(key)) return { abort: true, reason: 'this payment was used' }
    taken.add(key)
    underWay.add(key)
    return undefined
  })
  server.onAfterSettle(async ({ paymentPayload }) => void underWay.delete(keyOf(paymentPayload)))
  server.onSettleFailure(async ({ paymentPayload, error }) => {
    const key = keyOf(paymentPayload)
    taken.delete(key)
    // Any other error is a lost answer: it may be paid.
    if (error instanceof SettleError && error.errorReason !== 'settlement_pending') underWay.delete(key)
  })
}
