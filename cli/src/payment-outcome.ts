import type { Paid } from '@callboard/client'
import { usdOfUsdc } from '@callboard/values'
import { shownLine } from './print.ts'
import { refusedFor } from './sentences.ts'

type Payment = NonNullable<Paid['payment']>

export const WOULD_PAY_AGAIN = 'Do not repeat the call blindly: it would pay again.'

/** A payment with its amount in USD. */
export const receiptOf = (payment: Payment | undefined) => payment && { ...payment, usd: usdOfUsdc(payment.amount) }

export function brokenOffAfter(payment: Payment | undefined): string {
  if (!payment) return 'The answer broke off.'
  return `The answer broke off after the payment.${payment.repeatable ? '' : ` ${WOULD_PAY_AGAIN}`}`
}

/**
 * What became of a payment, in words.
 * @param address the wallet that signed it
 * @param again how the caller presents the same payment again
 */
export function outcomeOf(
  { state, transaction, claimedReason, repeatable }: Payment,
  address: string,
  again: string,
): string {
  if (state === 'settled')
    return `settled by ${shownLine(transaction || 'a transaction that the seller does not name')}`
  const said = claimedReason && `The seller says: ${refusedFor(claimedReason, `the wallet ${address}`)}.`
  if (state === 'refused')
    return `refused. ${said ?? 'The seller does not say why.'} The amount counts toward the limits in policy.json, because the seller may still use the signature.`
  const next = repeatable ? `${again}: it presents the same payment, which pays once.` : WOULD_PAY_AGAIN
  return `unknown. ${said ?? 'The seller gave no evidence, and may still use the signature.'} ${next}`
}
