import type { BlockRef } from '../domain/chain-data.ts'
import { FinalityBroken, finalHeight } from '../domain/sync-status.ts'
import { keptBlocks } from '../store/chain.repository.ts'
import type { IndexerDb } from '../store/tables.ts'
import type { Advance } from './commit.ts'
import type { ProviderRead } from './following.ts'
import { readBlocks } from './read-blocks.ts'

const COMPARED_AT_ONCE = 16

/** How far a branch is read. */
interface Reach {
  readonly cursor: BlockRef
  /** The provider's newest height, not below the cursor's. */
  readonly head: number
  /** How many blocks to read beyond the common one, if there are that many. */
  readonly atLeast: number
}

/**
 * Reads the branch that replaced ours, from the last common block to at least our cursor's height.
 * @throws FinalityBroken when the common block is below the finality depth; always so where finality is instant
 */
export async function readBranch(
  db: IndexerDb,
  read: ProviderRead,
  { cursor, head, atLeast }: Reach,
): Promise<Advance> {
  const { network, finalityDepth } = read.followed.chain
  const kept = await keptBlocks(db, network, finalHeight(cursor.number, finalityDepth))
  const common = await commonBlock(read, kept)
  if (!common) throw new FinalityBroken(cursor, read.provider.label)
  const upTo = Math.min(head, Math.max(cursor.number, common.number + atLeast))
  const branch = await readBlocks(read, { parent: common, upTo, atLeast: cursor.number })
  return { ...branch, revertAbove: common.number }
}

/** The highest of our blocks that the provider has, too. */
async function commonBlock(
  { provider, signal }: ProviderRead,
  kept: readonly BlockRef[],
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
