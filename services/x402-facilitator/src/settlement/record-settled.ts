import { paymentSettled } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { MinedTransaction } from '../chain/sent-facts.ts'
import { onceSent } from '../domain/payment-state.ts'
import type { FacilitatorKit, JointKit } from '../kit.ts'
import { gone, movePayments } from '../store/move.repository.ts'
import { recordResources } from '../store/resource.repository.ts'
import type { Payment } from '../store/tables.ts'
import { passing } from './moments.ts'

/** A payment whose money moved. */
export interface Settled {
  readonly row: Payment
  readonly transaction: MinedTransaction
  /** Where in its block the token's `Transfer` stands. */
  readonly logIndex: number
  /** True when somebody else submitted the authorization. */
  readonly isForeign: boolean
}

/** Stores that the money of one payment moved. @throws PaymentMoved */
export const recordSettled = async (kit: FacilitatorKit, settled: Settled): Promise<Payment> =>
  (await kit.parts.joint.settle(settled)) ?? gone(settled.row)

/**
 * Stores that the money moved, of payments of one network. Outcomes, events and discovered resources commit together; a
 * block that was replaced by another one with the same transaction is no second event.
 * @returns the settled rows, undefined where somebody else moved the payment or took it over
 */
export async function settleAll(kit: JointKit, all: readonly Settled[]): Promise<(Payment | undefined)[]> {
  passing('seen', all.length)
  kit.parts.departures.note(all.map(({ row }) => row.payer))
  const now = new Date(kit.clock.now())
  const settled = await kit.db.transaction().execute(async (tx) => {
    const moved = await movePayments(
      tx,
      all.map((one) => ({ seen: one.row, events: onceSent(one.row.state, 'included'), facts: factsOf(one) })),
      now,
    )
    const ours = all.filter((_, index) => moved[index] !== undefined)
    const news = ours.filter(({ row, transaction }) => row.announced_tx !== transaction.hash)
    const settledAt = isoTime(now.getTime())
    await kit.publishAll(
      tx,
      paymentSettled,
      news.map(({ row, transaction, isForeign }) => ({
        network: row.network,
        asset: row.asset,
        payer: row.payer,
        payTo: row.pay_to,
        amount: row.amount,
        nonce: row.nonce,
        txHash: transaction.hash,
        settledAt,
        foreign: isForeign,
        resourceUrl: row.resource?.resource ?? null,
      })),
    )
    const paid = ours.flatMap(({ row }) => (row.resource ? [{ payTo: row.pay_to, resource: row.resource }] : []))
    await recordResources(tx, paid, now)
    return moved
  })
  passing('settled', all.length)
  for (const [index, { row, isForeign }] of all.entries()) {
    if (!settled[index]) continue
    kit.parts.meters.outcomes.inc({ network: row.network, outcome: isForeign ? 'foreign' : 'settled' })
  }
  return settled
}

const factsOf = ({ transaction: { hash, blockNumber, blockHash }, logIndex, isForeign }: Settled) => ({
  reason: null,
  settled_tx: hash,
  block_number: blockNumber,
  block_hash: blockHash,
  log_index: logIndex,
  is_foreign: isForeign,
  announced_tx: hash,
})
