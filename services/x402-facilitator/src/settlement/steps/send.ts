import { clientOf } from '@callboard/evm'
import { sendRaw } from '../../chain/signing.ts'
import type { BatchingContext, FacilitatorContext } from '../../context.ts'
import { findTransactions, noteSentAgain } from '../../store/lane.repository.ts'
import type { LaneTransaction, Payment } from '../../store/tables.ts'
import { settlementFailpoints } from '../failpoints.ts'
import { confirm } from './confirm.ts'
import type { Step } from './step.ts'
import { moveInBatch } from './verify.ts'

/**
 * Hands the stored transaction of a signed payment to a node. Doing it twice is doing it once. Some chains have made a
 * block by the next beat: there it is looked at once and at the beat, before the row says that it was sent, which is then
 * written together with the outcome.
 */
export const send: Step = async (ctx, row, cache) => {
  await ctx.resources.batcher.send(row)
  const atOnce = await confirm(ctx, row, cache)
  if (atOnce) return atOnce
  await ctx.resources.polls.next(row.network)
  const atTheBeat = await confirm(ctx, row, cache)
  if (atTheBeat) return atTheBeat
  const sent = await moveInBatch(ctx, { seen: row, events: ['sent'] })
  settlementFailpoints.hit('broadcast', 1)
  return sent
}

/** Hands the stored transactions of signed payments to a node, each once, however many payments it carries. */
export async function sendAll(ctx: BatchingContext, signed: readonly Payment[]): Promise<undefined[]> {
  const hashes = signed.map(({ key, tx_hash }) => {
    if (!tx_hash) throw new Error(`payment ${key} is signed and has no transaction`)
    return tx_hash
  })
  await handOver(ctx, await findTransactions(ctx.db, [...new Set(hashes)]))
  for (const payments of Map.groupBy(hashes, (hash) => hash).values()) settlementFailpoints.hit('sent', payments.length)
  return signed.map(() => undefined)
}

/** Hands stored transactions to a node again, and notes when, so that they rest for a while. */
export async function sendAgain(ctx: FacilitatorContext, transactions: readonly LaneTransaction[]): Promise<void> {
  await handOver(ctx, transactions)
  const hashes = transactions.map(({ hash }) => hash)
  if (hashes.length > 0) await noteSentAgain(ctx.db, hashes, new Date(ctx.clock.now()))
}

async function handOver(
  ctx: BatchingContext | FacilitatorContext,
  transactions: readonly LaneTransaction[],
): Promise<void> {
  const inOrder = transactions.toSorted((left, right) => left.chain_nonce - right.chain_nonce)
  await Promise.all(
    inOrder.map(async ({ hash, network, raw }) => {
      const refusal = await sendRaw(clientOf(ctx.resources.clients, network), raw)
      if (refusal) ctx.log.warn({ network, hash, refusal }, 'a node did not take a settlement')
    }),
  )
}
