import { clientOf } from '@callboard/evm'
import { sendRaw } from '../../chain/signing.ts'
import type { FacilitatorContext } from '../../context.ts'
import { noteSentAgain } from '../../store/lane.repository.ts'
import type { LaneTransaction } from '../../store/tables.ts'

/** Sends stored transactions to a node again, in chain nonce order, and notes the time, so that they rest a while. */
export async function sendAgain(ctx: FacilitatorContext, transactions: readonly LaneTransaction[]): Promise<void> {
  const inOrder = transactions.toSorted((left, right) => left.chain_nonce - right.chain_nonce)
  await Promise.all(
    inOrder.map(async ({ hash, network, raw }) => {
      const refusal = await sendRaw(clientOf(ctx.resources.clients, network), raw)
      if (refusal) ctx.log.warn({ network, hash, refusal }, 'a node did not take a settlement')
    }),
  )
  const hashes = transactions.map(({ hash }) => hash)
  if (hashes.length > 0) await noteSentAgain(ctx.db, hashes, new Date(ctx.clock.now()))
}
