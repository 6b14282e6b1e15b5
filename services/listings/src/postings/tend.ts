import { DAY_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { deleteEnded, lockOfOtherVerification } from '../store/posting.repository.ts'
import { changePosting } from './change-posting.ts'

const AT_ONCE = 100
/** How long an owner sees ended postings. */
const KEPT_MS = 90 * DAY_MS

/**
 * Updates whether the owners of open postings have a verified listing, however that changed, and deletes postings that
 * ended long ago.
 */
export async function tend(ctx: Pick<ListingsContext, 'clock' | 'db' | 'publish'>, signal: AbortSignal): Promise<void> {
  let changed = AT_ONCE
  while (changed === AT_ONCE && !signal.aborted) {
    changed = await ctx.db.transaction().execute(async (tx) => {
      const postings = await lockOfOtherVerification(tx, new Date(ctx.clock.now()), AT_ONCE)
      for (const posting of postings) {
        await changePosting(ctx, tx, posting, { hasVerifiedListing: !posting.hasVerifiedListing })
      }
      return postings.length
    })
  }
  await deleteEnded(ctx.db, new Date(ctx.clock.now() - KEPT_MS))
}
