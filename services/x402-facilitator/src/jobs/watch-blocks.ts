import { type Chain, clientOf } from '@callboard/evm'
import { schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { type Caip2, SECOND_MS } from '@callboard/values'
import { readBlockHashes, readHeights } from '../chain/block-facts.ts'
import type { FacilitatorContext } from '../context.ts'
import { settlementFailpoints } from '../settlement/failpoints.ts'
import { followPreconfirmed } from '../settlement/finality/follow-preconfirmed.ts'
import { followReverted } from '../settlement/finality/follow-reverted.ts'
import { restart } from '../settlement/finality/restart.ts'
import { unfinishedPayments } from '../store/lease.repository.ts'
import { claimsChannel } from '../store/payment.repository.ts'
import { moveBlocks, paymentsIn, type WatchedBlock, watchedBlocks } from '../store/watched-block.repository.ts'

/** Blocks checked per round and chain, oldest first: more than any chain's finality depth. */
const AT_ONCE = 1_000
const BEAT_MS = 2 * SECOND_MS

/**
 * Watches the blocks that hold outcomes until their chain's nodes call them finalized. If a block is gone, or no block
 * has a preconfirmed transaction, its payments are on their way again and the same raw transactions are sent. Payments
 * whose transaction failed are followed until their authorization is used or over. While there are none of these, and
 * no payment is on its way, no chain is asked.
 */
export const watchBlocks = whenWoken<FacilitatorContext>('watch-blocks', waking, async (ctx) => {
  const { isAny, revertedInMs } = await unfinishedPayments(ctx.db)
  if (revertedInMs !== 0 && !isAny) return revertedInMs
  const chains = [...ctx.resources.chains.values()]
  const rounds = [
    ...chains.map((chain) => watchChain(ctx, chain)),
    ...(revertedInMs === 0 ? chains.map((chain) => followReverted(ctx, chain)) : []),
  ]
  for (const round of await Promise.allSettled(rounds)) {
    if (round.status === 'rejected') ctx.log.warn({ err: round.reason }, 'the blocks of a chain were not watched')
  }
  // The block just finalized may have been the last; the next round finds out.
  return BEAT_MS
})

function waking({ name }: FacilitatorContext): Waking {
  return { channels: [claimsChannel(schemaOf(name))], pollMs: BEAT_MS, dueAfterMs: BEAT_MS }
}

async function watchChain(ctx: FacilitatorContext, chain: Chain): Promise<void> {
  const { network, finality, finalityDepth } = chain
  if (finality === 'instant') {
    return moveAll(ctx, network, await watchedBlocks(ctx.db, network, AT_ONCE), 'finalized')
  }
  const client = clientOf(ctx.resources.clients, network)
  const heights = await readHeights(client, network)
  await followPreconfirmed(ctx, chain, heights.latest)
  const watched = await watchedBlocks(ctx.db, network, AT_ONCE, { ...heights, finalityDepth })
  // A block above the head: the node is behind the one that reported it.
  const known = watched.filter(({ number }) => number <= heights.latest)
  if (known.length === 0) return
  const hashes = await readBlockHashes(client, network, [...new Set(known.map(({ number }) => number))])
  const isThere = ({ number, hash }: WatchedBlock) => hashes.get(number) === hash
  // A node without a block at a height that the chain has is behind: only another block there shows that ours is gone.
  const isGone = (block: WatchedBlock) => !isThere(block) && hashes.get(block.number) !== null
  for (const block of known.filter(isGone)) {
    const rows = await paymentsIn(ctx.db, network, block)
    ctx.log.error({ network, block, payments: rows.map(({ key }) => key) }, 'a block with payments is gone')
    ctx.resources.meters.vanished.inc({ network }, rows.length)
    await restart(ctx, rows)
  }
  const there = known.filter(isThere)
  const upTo = (height: number) => there.filter(({ number }) => number <= height)
  await moveAll(ctx, network, upTo(heights.finalized), 'finalized')
  await moveAll(ctx, network, upTo(heights.safe), 'secured')
}

async function moveAll(
  ctx: FacilitatorContext,
  network: Caip2,
  blocks: readonly WatchedBlock[],
  event: 'secured' | 'finalized',
): Promise<void> {
  const moved = await moveBlocks(ctx.db, network, blocks, event, new Date(ctx.clock.now()))
  settlementFailpoints.hit(event, moved)
}
