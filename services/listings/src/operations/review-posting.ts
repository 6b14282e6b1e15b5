import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { ended, recordOf } from '../domain/posting/posting.ts'
import { changePosting } from '../postings/change-posting.ts'
import { lockPosting } from '../store/posting.repository.ts'

/** Not bound to HTTP: only the operator's command reaches it. A closed or expired one can be taken down too, and is not renewed then. */
export const reviewPosting: ListingsHandler<typeof listings.reviewPosting> = async (asked, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockPosting(tx, asked.id)
    if (!locked) return refuse('not_found')
    const now = ctx.clock.now()
    if (asked.verdict === 'look') return { posting: recordOf(locked, now) }
    const down = await changePosting(ctx, tx, locked, ended('taken_down', asked.reason))
    return { posting: recordOf(down, now) }
  })
