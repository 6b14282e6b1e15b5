import type { BlockRef } from '../domain/chain-data.ts'
import { type Advance, commit } from './commit.ts'
import type { Following } from './following.ts'

/** Commits what was read, with metrics and a log line. @param from the cursor at the start of the step */
export async function record(following: Following, from: BlockRef, read: Advance): Promise<void> {
  const { ctx, followed } = following
  const { network } = followed.chain
  const { metrics } = ctx.resources
  const { observed, reverted } = await commit(following, from, read)
  metrics.cursorBlock.set({ network }, read.to.number)
  if (read.revertAbove !== undefined) {
    metrics.reorgs.inc({ network })
    ctx.log.warn({ network, from, common: read.revertAbove, to: read.to, reverted }, 'a reorganisation')
  }
  if (observed > 0) ctx.log.debug({ network, block: read.to.number, observed }, 'logs observed')
}
