import type { BlockRef } from '../domain/chain-data.ts'
import { finalHeight } from '../domain/sync-status.ts'
import { findCursor } from '../store/chain.repository.ts'
import { catchUp } from './catch-up.ts'
import type { Advance } from './commit.ts'
import { asking, type Following, type StepResult } from './following.ts'
import { readBlocks } from './read-blocks.ts'
import { record } from './record.ts'
import { readBranch } from './reorg.ts'
import { start } from './start.ts'
import { type Found, survey } from './survey.ts'

/** Blocks of one step at the tip; if further behind than this below the final height, ranges are read. */
const BLOCKS_AT_ONCE = 32

/**
 * One step of following a chain: choose a provider, read what comes next from it alone, record it.
 * @param last the cursor after the previous step, and whether it has not moved for long
 * @throws StaleTerm, FinalityBroken, and errors of Postgres; faults of providers are handled here
 */
export async function step(
  following: Following,
  last: { readonly quiet: boolean; readonly cursor?: BlockRef | undefined },
  signal: AbortSignal,
): Promise<StepResult> {
  const { ctx, followed } = following
  const { network } = followed.chain
  const { metrics } = ctx.resources
  const cursor = last.cursor ?? (await findCursor(ctx.db, network))
  if (!cursor) {
    const opened = await start(following, signal)
    return { moved: opened, behind: opened }
  }
  metrics.cursorBlock.set({ network }, cursor.number)
  const found = await survey(following, { cursor, quiet: last.quiet }, signal)
  if (!found) return { moved: false, behind: false, cursor }
  const head = found.head.number
  metrics.headBlock.set({ network }, head)
  const final = finalHeight(head, followed.chain.finalityDepth)
  if (found.syncStatus === 'same' && final - cursor.number > BLOCKS_AT_ONCE) {
    // What is final is counted from the head: one that the endpoint does not have makes nothing final.
    const heads = await asking(following, found.provider, () => found.provider.leadingHeaders([head], signal))
    if (!heads) return { moved: false, behind: followed.providers.restMs() === 0 }
    if (heads.length > 0) return catchUp(following, { cursor, final, provider: found.provider }, signal)
  }
  const read = await asking(following, found.provider, () => readOn(following, { ...found, cursor }, signal))
  if (!read) return { moved: false, behind: followed.providers.restMs() === 0 }
  followed.providers.succeeded(found.provider)
  if (read === 'nothing new') return { moved: false, behind: false, cursor, head }
  await record(following, cursor, read)
  const unattributed = read.settlements.some(({ builderCodes }) => builderCodes === undefined)
  const isAll = read.revertAbove !== undefined || read.to.number >= Math.min(head, cursor.number + BLOCKS_AT_ONCE)
  return { moved: true, behind: isAll && head > read.to.number, cursor: read.to, head, unattributed }
}

async function readOn(
  { ctx, followed }: Following,
  { syncStatus, provider, head, cursor }: Found & { readonly cursor: BlockRef },
  signal: AbortSignal,
): Promise<Advance | 'nothing new'> {
  const read = { followed, provider, signal, log: ctx.log }
  if (syncStatus === 'other') {
    // Another chain would look like a reorganization of all blocks.
    await provider.proveChain(signal)
    return readBranch(ctx.db, read, { cursor, head: head.number, atLeast: BLOCKS_AT_ONCE })
  }
  if (head.number <= cursor.number) return 'nothing new'
  const upTo = Math.min(head.number, cursor.number + BLOCKS_AT_ONCE)
  return readBlocks(read, { parent: cursor, upTo, head })
}
