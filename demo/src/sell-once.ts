import type { x402ResourceServer } from '@x402/express'

interface Presented {
  readonly payload: { readonly authorization?: { readonly from?: string; readonly nonce?: string } }
}

const keyOf = ({ payload: { authorization } }: Presented) =>
  `${authorization?.from} ${authorization?.nonce}`.toLowerCase()

/**
 * Has a server take each payment once. A facilitator answers every request for a payment alike, so that a lost answer can
 * be asked for again, and the stock middleware serves a call for each success. Several processes need a table for this.
 */
export function sellOnce(server: x402ResourceServer): void {
  const taken = new Set<string>()
  server.onBeforeSettle(async ({ paymentPayload }) => {
    const key = keyOf(paymentPayload)
    if (taken.has(key)) return { abort: true, reason: 'this payment was used' }
    taken.add(key)
    return undefined
  })
  server.onSettleFailure(async ({ paymentPayload }) => void taken.delete(keyOf(paymentPayload)))
}
