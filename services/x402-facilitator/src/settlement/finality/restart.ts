import { schemaOf } from '@callboard/runtime'
import type { FacilitatorContext } from '../../context.ts'
import { findTransactions } from '../../store/lane.repository.ts'
import { movePayments } from '../../store/move.repository.ts'
import { claimsChannel } from '../../store/payment.repository.ts'
import type { Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { sendAgain } from '../steps/send-again.ts'

/** Puts payments whose outcome is gone back on their way, sends their raw transactions again, and has them taken up. */
export async function restart(ctx: FacilitatorContext, rows: readonly Payment[]): Promise<void> {
  if (rows.length === 0) return
  await movePayments(rows.map(vanished), new Date(ctx.clock.now())).execute(ctx.db)
  settlementFailpoints.hit('vanished', rows.length)
  const hashes = new Set(rows.flatMap(({ tx_hash }) => (tx_hash ? [tx_hash] : [])))
  if (hashes.size > 0) await sendAgain(ctx, await findTransactions(ctx.db, [...hashes]))
  ctx.notifications.wake(claimsChannel(schemaOf(ctx.name)), 'look')
}

/** A payment without its block. If a third party had submitted it, we have no transaction to send again. */
const vanished = (seen: Payment) => ({
  seen,
  events: [seen.tx_hash ? ('vanished' as const) : ('vanished_unsigned' as const)],
  facts: { settled_tx: null, block_number: null, block_hash: null, log_index: null, is_foreign: false, reason: null },
})
