import { type Chain, clientOf } from '@callboard/evm'
import { every } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { PublicClient } from 'viem'
import { asking } from '../chain/chain-away.ts'
import type { FacilitatorKit } from '../kit.ts'
import { sendStored } from '../settlement/send-step.ts'
import { findTransaction } from '../store/lane.repository.ts'
import { movePayment, PaymentMoved, watchedPayments } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'

/** Payments looked at per round and chain, the oldest blocks first. */
const AT_ONCE = 1_000

/**
 * Watches the blocks that hold outcomes until they are as deep as their chain's finality. Where a block is gone, the
 * payment is on its way again and the same raw transaction is sent.
 */
export const watchBlocks = every<FacilitatorKit>('watch-blocks', 2 * SECOND_MS, async (kit) => {
  const rounds = [...kit.parts.chains.values()].map((chain) => watchChain(kit, chain))
  for (const round of await Promise.allSettled(rounds)) {
    if (round.status === 'rejected') kit.log.warn({ err: round.reason }, 'the blocks of a chain were not watched')
  }
})

async function watchChain(kit: FacilitatorKit, { network, finality, finalityDepth }: Chain): Promise<void> {
  const watched = await watchedPayments(kit.db, network, AT_ONCE)
  if (watched.length === 0) return
  if (finality === 'instant') return each(watched, (row) => finalize(kit, row))
  const client = clientOf(kit.parts.clients, network)
  const [head, hashes] = await Promise.all([
    asking(network, client.getBlockNumber({ cacheTime: 0 })),
    blockHashes(client, network, watched),
  ])
  await each(watched, async (row) => {
    const depth = head - BigInt(row.block_number ?? 0)
    if (depth < 0n) return // the node is behind the one that told us
    if (hashes.get(row.block_number) !== row.block_hash) await restart(kit, row)
    else if (depth >= BigInt(finalityDepth)) await finalize(kit, row)
  })
}

/** The hashes of the blocks that the payments stand in; null where the chain has no such block any more. */
async function blockHashes(client: PublicClient, network: string, rows: readonly Payment[]) {
  const numbers = [...new Set(rows.map(({ block_number }) => block_number))]
  const blocks = await asking(
    network,
    Promise.all(
      numbers.map((number) =>
        client.request({ method: 'eth_getBlockByNumber', params: [`0x${(number ?? 0).toString(16)}`, false] }),
      ),
    ),
  )
  return new Map(numbers.map((number, index) => [number, blocks[index]?.hash ?? null]))
}

const finalize = (kit: FacilitatorKit, row: Payment) =>
  movePayment(kit.db, row, 'finalized', { now: new Date(kit.clock.now()) })

async function restart(kit: FacilitatorKit, row: Payment): Promise<void> {
  const { key, network, tx_hash, settled_tx, state } = row
  kit.log.error({ key, network, tx: settled_tx, state }, 'the block of a payment is gone')
  kit.parts.meters.vanished.inc({ network })
  const gone = { settled_tx: null, block_number: null, block_hash: null, is_foreign: false, reason: null }
  const event = tx_hash ? 'vanished' : 'vanished_unsigned'
  await movePayment(kit.db, row, event, { facts: gone, now: new Date(kit.clock.now()) })
  if (tx_hash) await sendStored(kit, await findTransaction(kit.db, tx_hash))
}

/** Treats each payment; one that moved meanwhile is looked at in the next round. */
async function each(rows: readonly Payment[], treat: (row: Payment) => Promise<unknown>): Promise<void> {
  for (const row of rows) {
    try {
      await treat(row)
    } catch (error) {
      if (!(error instanceof PaymentMoved)) throw error
    }
  }
}
