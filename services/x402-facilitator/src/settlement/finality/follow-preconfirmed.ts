import { type Chain, clientOf } from '@callboard/evm'
import { type Hex, MINUTE_MS } from '@callboard/values'
import { isIncluded, readSent } from '../../chain/sent-facts.ts'
import type { FacilitatorContext } from '../../context.ts'
import { paidAt } from '../../domain/settlement-log.ts'
import type { Payment } from '../../store/tables.ts'
import { preconfirmedUpTo } from '../../store/watched-block.repository.ts'
import { movementOf } from '../payment-terms.ts'
import { restart } from './restart.ts'

/** Payments checked per round and chain, oldest first. */
const AT_ONCE = 500
/** How many blocks after the promised one a missing transaction counts as gone: nodes behind one URL differ by one. */
const PATIENCE_BLOCKS = 1
/** How long a promised block may take. A node may promise one that never comes, and the payment must not wait for it. */
const PROMISE_MS = MINUTE_MS

/**
 * Finds the outcome of preconfirmed payments whose block the chain has by now, or should have. Those in a block are
 * settled, with event and gas; those still in no block one block later are on their way again, and their transactions
 * are sent again.
 * @param head the newest block's number
 * @throws ChainUnavailable
 */
export async function followPreconfirmed(ctx: FacilitatorContext, chain: Chain, head: number): Promise<void> {
  const { network } = chain
  const before = new Date(ctx.clock.now() - PROMISE_MS)
  const rows = await preconfirmedUpTo(ctx.db, network, { number: head, before }, AT_ONCE)
  if (rows.length === 0) return
  const client = clientOf(ctx.resources.clients, network)
  const sent = await readSent(client, chain, [...new Set(rows.flatMap(({ tx_hash }) => tx_hash ?? []))])
  const paid = rows.map((row) => {
    const transaction = sent.get(row.tx_hash as Hex)
    const logIndex = isIncluded(transaction) ? paidAt(transaction.uses, movementOf(row)) : undefined
    return isIncluded(transaction) && logIndex !== undefined
      ? { row, transaction, logIndex, isForeign: false }
      : undefined
  })
  await Promise.all(paid.map((settled) => settled && ctx.resources.batcher.settle(settled)))
  const isOverdue = ({ block_number, updated_at }: Payment) =>
    head >= (block_number ?? 0) + PATIENCE_BLOCKS || updated_at < before
  const gone = rows.filter((row, index) => !paid[index] && isOverdue(row))
  if (gone.length === 0) return
  ctx.log.error({ network, payments: gone.map(({ key }) => key) }, 'preconfirmed payments are in no block')
  ctx.resources.meters.preconfirmationsVanished.inc({ network }, gone.length)
  await restart(ctx, gone)
}
