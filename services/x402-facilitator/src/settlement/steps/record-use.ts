import { chainOf, clientOf } from '@callboard/evm'
import { isFinal } from '../../chain/block-facts.ts'
import { findUse } from '../../chain/find-use.ts'
import type { MinedTransaction } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { USED_OTHERWISE } from '../../domain/settle-outcome.ts'
import { attemptsAt } from '../../store/lane.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { movementOf, reachOf } from '../payment-terms.ts'
import { conclude } from './conclude.ts'
import { recordSettled } from './record-settled.ts'

/**
 * Stores the use of an authorization that the token counts as used: to move exactly this money, or for something else.
 * Only in a final block does that end a payment: if the block goes away the authorization is valid again, and a third
 * party may submit it.
 * @param own our transaction, where it is in a block and did not move the money
 * @returns undefined where nothing is to be stored: no node shows the use yet, or it may still go away
 * @throws ChainUnavailable; PaymentMoved
 */
export async function recordUse(
  ctx: FacilitatorContext,
  row: Payment,
  own: MinedTransaction | undefined,
): Promise<Payment | undefined> {
  const { network } = row
  const chain = chainOf(ctx.resources.chains, network)
  const client = clientOf(ctx.resources.clients, network)
  const use = await findUse(client, network, movementOf(row), reachOf(row, chain, ctx.clock.now()))
  if (!use) return undefined
  if (use.kind === 'ours') {
    const attempts = await attemptsAt(ctx.db, row.key)
    return recordSettled(ctx, { row, ...use, isForeign: !attempts.includes(use.transaction.hash) })
  }
  const reason = USED_OTHERWISE
  if (await isFinal(client, chain, use.block)) return conclude(ctx, row, 'spent', { reason, gasUsed: own?.gasUsed })
  return own && conclude(ctx, row, 'overtaken', { reason, gasUsed: own.gasUsed, block: own })
}
