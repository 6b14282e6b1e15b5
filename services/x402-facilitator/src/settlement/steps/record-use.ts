import { chainOf, clientOf } from '@callboard/evm'
import { findUse } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { attemptsAt } from '../../store/lane.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { movementOf, reachOf } from '../payment-terms.ts'
import { conclude } from './conclude.ts'
import { recordSettled } from './record-settled.ts'

/**
 * Stores what an authorization was used for that the token counts as used: to move exactly this money, or for something else.
 * @param gasUsed of our transaction, where it is in a block and did not move it
 * @returns undefined where no node shows the use yet
 * @throws ChainUnavailable; PaymentMoved
 */
export async function recordUse(
  ctx: FacilitatorContext,
  row: Payment,
  gasUsed: number | undefined,
): Promise<Payment | undefined> {
  const { network } = row
  const chain = chainOf(ctx.resources.chains, network)
  const client = clientOf(ctx.resources.clients, network)
  const use = await findUse(client, network, movementOf(row), reachOf(row, chain, ctx.clock.now()))
  if (use?.kind === 'ours') {
    const attempts = await attemptsAt(ctx.db, row.key)
    return recordSettled(ctx, { row, ...use, isForeign: !attempts.includes(use.transaction.hash) })
  }
  return use && conclude(ctx, row, 'spent', { reason: 'invalid_exact_evm_nonce_already_used', gasUsed })
}
