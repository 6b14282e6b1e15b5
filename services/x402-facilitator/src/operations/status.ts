import type { x402Facilitator } from '@callboard/contract'
import { paymentKey } from '@callboard/x402'
import type { FacilitatorHandler } from '../context.ts'
import { publicState, settleResponse } from '../domain/settle-outcome.ts'
import { findPayment } from '../store/payment.repository.ts'

export const status: FacilitatorHandler<typeof x402Facilitator.status> = async (identity, ctx) => {
  const row = await findPayment(ctx.db, paymentKey(identity))
  if (!row) return { state: 'absent', settlement: null }
  const { v1Networks } = ctx.resources
  const policy = row.confirmation
  return {
    state: publicState(row.state, policy),
    settlement: settleResponse(row, { x402Version: 2, v1Networks }, policy),
  }
}
