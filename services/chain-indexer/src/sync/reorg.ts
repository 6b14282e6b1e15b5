import type { IndexerContext } from '../context.ts'
import type { BlockRef } from '../domain/chain-data.ts'
import { FinalityBroken, finalHeight } from '../domain/sync-status.ts'
import type { FollowedChain } from '../followed-chain.ts'
import type { Provider } from '../rpc/provider.ts'
import { keptBlocks } from '../store/chain.repository.ts'
import type { Advance } from './commit.ts'
import { readBlocks } from './read-blocks.ts'

const COMPARED_AT_ONCE = 16

/**
 * Reads the branch that replaced ours, from the last common block to at least our cursor's height.
 * @param head the provider's newest height, not below the cursor's
 * @param atLeast how many blocks to read beyond the common one, if there are that many
 * @throws FinalityBroken when the common block is below the finality depth; always so where finality is instant
 */
export async function readBranch(
  ctx: Pick<IndexerContext, 'db'>,
  followed: FollowedChain,
  provider: Provider,
  cursor: BlockRef,
  head: number,
  atLeast: number,
  signal: AbortSignal,
): Promise<Advance> {
  const { network, finalityDepth } = followed.chain
  const kept = await keptBlocks(ctx.db, network, finalHeight(cursor.number, finalityDepth))
  const common = await commonBlock(provider, kept, signal)
  if (!common) throw new FinalityBroken(cursor, provider.label)
  const upTo = Math.min(head, Math.max(cursor.number, common.number + atLeast))
  const branch = await readBlocks(followed, provider, { parent: common, upTo }, signal)
  return { ...branch, revertAbove: common.number }
}

/** The highest of our blocks that the provider has, too. */
async function commonBlock(
  provider: Provider,
  kept: readonly BlockRef[],
  signal: AbortSignal,
): Promise<BlockRef | undefined> {
  for (let at = 0; at < kept.length; at += COMPARED_AT_ONCE) {
    const ours = kept.slice(at, at + COMPARED_AT_ONCE)
    const theirs = await provider.headers(
      ours.map(({ number }) => number),
      signal,
    )
    const common = ours.find(({ hash }, place) => theirs[place]?.hash === hash)
    if (common) return common
  }
  return undefined
}
