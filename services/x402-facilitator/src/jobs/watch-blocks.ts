import { type Chain, clientOf } from '@callboard/evm'
import { schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { type Caip2, SECOND_MS } from '@callboard/values'
import { readingChain } from '../chain/chain-unavailable.ts'
import { readBlockHashes } from '../chain/sent-facts.ts'
import type { FacilitatorContext } from '../context.ts'
import { settlementFailpoints } from '../settlement/failpoints.ts'
import { sendAgain } from '../settlement/steps/send-again.ts'
import { findTransactions } from '../store/lane.repository.ts'
import { hasUnfinishedPayments } from '../store/lease.repository.ts'
import { movePayments } from '../store/move.repository.ts'
import { claimsChannel } from '../store/payment.repository.ts'
import type { Payment } from '../store/tables.ts'
import { finalizeBlocks, paymentsIn, type WatchedBlock, watchedBlocks } from '../store/watched-block.repository.ts'

/** Blocks looked at per round and chain, the oldest first: more than any chain's finality is deep. */
const AT_ONCE = 1_000
const BEAT_MS = 2 * SECOND_MS

/**
 * Watches the blocks that hold outcomes until they are as deep as their chain's finality. Where a block is gone, its
 * payments are on their way again and the same raw transactions are sent. While none holds an outcome, and no payment is on
 * its way to one, no chain is asked.
 */
export const watchBlocks = whenWoken<FacilitatorContext>('watch-blocks', waking, async (ctx) => {
  if (!(await hasUnfinishedPayments(ctx.db))) return undefined
  const rounds = [...ctx.resources.chains.values()].map((chain) => watchChain(ctx, chain))
  for (const round of await Promise.allSettled(rounds)) {
    if (round.status === 'rejected') ctx.log.warn({ err: round.reason }, 'the blocks of a chain were not watched')
  }
  // What was finalized was the last, perhaps: the next look knows.
  return BEAT_MS
})

function waking({ name }: FacilitatorContext): Waking {
  return { channels: [claimsChannel(schemaOf(name))], beatMs: BEAT_MS, dueAfterMs: BEAT_MS }
}

async function watchChain(ctx: FacilitatorContext, { network, finality, finalityDepth }: Chain): Promise<void> {
  const watched = await watchedBlocks(ctx.db, network, AT_ONCE)
  if (watched.length === 0) return
  if (finality === 'instant') return finalize(ctx, network, watched)
  const client = clientOf(ctx.resources.clients, network)
  const [head, hashes] = await Promise.all([
    readingChain(network, client.getBlockNumber({ cacheTime: 0 })),
    readBlockHashes(client, network, [...new Set(watched.map(({ number }) => number))]),
  ])
  // A block above the head: the node is behind the one that reported it.
  const known = watched.filter(({ number }) => BigInt(number) <= head)
  const isThere = ({ number, hash }: WatchedBlock) => hashes.get(number) === hash
  for (const block of known.filter((block) => !isThere(block))) await restart(ctx, network, block)
  const isDeep = ({ number }: WatchedBlock) => head - BigInt(number) >= BigInt(finalityDepth)
  await finalize(
    ctx,
    network,
    known.filter((block) => isThere(block) && isDeep(block)),
  )
}

async function finalize(ctx: FacilitatorContext, network: Caip2, blocks: readonly WatchedBlock[]): Promise<void> {
  settlementFailpoints.hit('finalized', await finalizeBlocks(ctx.db, network, blocks, new Date(ctx.clock.now())))
}

async function restart(ctx: FacilitatorContext, network: Caip2, block: WatchedBlock): Promise<void> {
  const rows = await paymentsIn(ctx.db, network, block)
  ctx.log.error({ network, block, payments: rows.map(({ key }) => key) }, 'a block with payments is gone')
  ctx.resources.meters.vanished.inc({ network }, rows.length)
  await movePayments(ctx.db, rows.map(vanished), new Date(ctx.clock.now()))
  settlementFailpoints.hit('vanished', rows.length)
  const hashes = new Set(rows.flatMap(({ tx_hash }) => (tx_hash ? [tx_hash] : [])))
  if (hashes.size > 0) await sendAgain(ctx, await findTransactions(ctx.db, [...hashes]))
  ctx.notifications.wake(claimsChannel(schemaOf(ctx.name)), 'look')
}

/** What a payment is without its block. One that a third party had submitted has nothing of ours to send again. */
const vanished = (seen: Payment) => ({
  seen,
  events: [seen.tx_hash ? ('vanished' as const) : ('vanished_unsigned' as const)],
  facts: { settled_tx: null, block_number: null, block_hash: null, log_index: null, is_foreign: false, reason: null },
})
