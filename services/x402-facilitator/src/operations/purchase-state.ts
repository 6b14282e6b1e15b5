import type { x402Facilitator } from '@callboard/contract'
import type { FacilitatorHandler } from '../context.ts'
import { publicState } from '../domain/settle-outcome.ts'
import { isBoundTo } from '../store/grant.repository.ts'
import { findPayment } from '../store/payment.repository.ts'

const ABSENT = { state: 'absent', transaction: '' } as const

/**
 * A purchase counts from the confirmation of our own offer, which is its network's default. The policy under which the
 * payment was first settled is irrelevant, since the payer may have requested that settlement itself.
 */
export const purchaseState: FacilitatorHandler<typeof x402Facilitator.purchaseState> = async (input, ctx) => {
  const { operation, paymentKey, requestFingerprint: fingerprint } = input
  if (!(await isBoundTo(ctx.db, paymentKey, { operation, fingerprint }))) return ABSENT
  const payment = await findPayment(ctx.db, paymentKey)
  if (!payment) return ABSENT
  const { network, state, settled_tx, tx_hash } = payment
  const policy = ctx.resources.confirmations.get(network)?.default ?? 'included'
  return { state: publicState(state, policy), transaction: settled_tx ?? tx_hash ?? '' }
}
