import { type Chain, chainOf, clientOf } from '@callboard/evm'
import { isForeverUnused, isUsed } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { reasonOfReverted } from '../../domain/settle-outcome.ts'
import { takeReverted } from '../../store/reverted.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { movementOf } from '../payment-terms.ts'
import { conclude } from '../steps/conclude.ts'
import { recordUse } from '../steps/record-use.ts'

/** Payments checked per round and chain, those that rested longest first. */
const AT_ONCE = 100

/**
 * Finds the outcome of payments whose transaction failed: its calldata shows the authorization to every reader of the
 * chain, who may submit it while its window is open. Each is checked at growing intervals.
 */
export async function followReverted(ctx: FacilitatorContext, { network }: Chain): Promise<void> {
  const rows = await takeReverted(ctx.db, network, AT_ONCE)
  const looks = await Promise.allSettled(rows.map((row) => lookAtReverted(ctx, row)))
  for (const [index, look] of looks.entries()) {
    if (look.status === 'fulfilled') continue
    ctx.log.warn({ err: look.reason, key: rows[index]?.key }, 'a payment that reverted could not be looked at')
  }
}

/**
 * Checks on the token whether the authorization of a reverted payment is used, or over, or neither yet.
 * @returns the payment after that, with the reason for its state
 * @throws ChainUnavailable; PaymentMoved
 */
export async function lookAtReverted(ctx: FacilitatorContext, row: Payment): Promise<Payment> {
  const { network } = row
  const { finalityDepth } = chainOf(ctx.resources.chains, network)
  const client = clientOf(ctx.resources.clients, network)
  const movement = movementOf(row)
  const used = await isUsed(client, network, movement)
  const reason = reasonOfReverted(row.reason, used)
  if (used) return (await recordUse(ctx, row, undefined)) ?? { ...row, reason }
  const validBefore = BigInt(row.valid_before)
  const isOver = await isForeverUnused(client, network, movement, { validBefore, finalityDepth })
  return isOver ? conclude(ctx, row, 'expired', { reason }) : { ...row, reason }
}
