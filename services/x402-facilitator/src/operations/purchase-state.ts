import type { x402Facilitator } from '@callboard/contract'
import type { FacilitatorHandler } from '../context.ts'
import { publicState } from '../domain/settle-outcome.ts'
import { isBoundTo } from '../store/grant.repository.ts'
import { findPayment } from '../store/payment.repository.ts'

const ABSENT = { state: 'absent', transaction: '' } as const

export const purchaseState: FacilitatorHandler<typeof x402Facilitator.purchaseState> = async (input, ctx) => {
  const { operation, paymentKey, requestFingerprint: fingerprint } = input
  if (!(await isBoundTo(ctx.db, paymentKey, { operation, fingerprint }))) return ABSENT
  const payment = await findPayment(ctx.db, paymentKey)
  if (!payment) return ABSENT
  return { state: publicState(payment.state, payment.confirmation), transaction: payment.tx_hash ?? '' }
}
