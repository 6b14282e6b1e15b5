import { every } from '@callboard/runtime'
import { DAY_MS, MINUTE_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { changePosting } from '../postings/change-posting.ts'
import { deleteEnded, lockOfOtherStanding } from '../store/posting.repository.ts'

const AT_ONCE = 100
/** For how long an owner sees what ended. */
const KEPT_MS = 90 * DAY_MS

/**
 * Brings up to date whether the owners of open postings have a verified listing, in whatever way that came to be or ended, and
 * deletes what ended long ago.
 */
export const tendPostings = every<ListingsContext>('tend-postings', MINUTE_MS, async (ctx, signal) => {
  let changed = AT_ONCE
  while (changed === AT_ONCE && !signal.aborted) {
    changed = await ctx.db.transaction().execute(async (tx) => {
      const postings = await lockOfOtherStanding(tx, new Date(ctx.clock.now()), AT_ONCE)
      for (const posting of postings) {
        await changePosting(ctx, tx, posting, { hasVerifiedListing: !posting.hasVerifiedListing })
      }
      return postings.length
    })
  }
  await deleteEnded(ctx.db, new Date(ctx.clock.now() - KEPT_MS))
})
