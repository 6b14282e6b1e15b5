import type { listings } from '@callboard/contract'
import { audited } from '@callboard/store'
import { refuse } from '@callboard/values'
import type { ListingsHandler } from '../context.ts'
import { ended, recordOf } from '../domain/posting/posting.ts'
import { changePosting } from '../postings/change-posting.ts'
import { lockPosting } from '../store/posting.repository.ts'

/**
 * Not bound to HTTP: only the operator's command reaches it. A closed or expired posting can be taken down too, and can
 * then not be renewed. Each take-down is recorded with who did it.
 */
export const reviewPosting: ListingsHandler<typeof listings.reviewPosting> = async (asked, ctx) => {
  const { db, clock } = ctx
  if (asked.verdict === 'look') {
    const looked = await db.transaction().execute((tx) => lockPosting(tx, asked.id))
    return looked ? { posting: recordOf(looked, clock.now()) } : refuse('not_found')
  }
  const { id, reason, by = 'unnamed' } = asked
  const action = { by, verb: 'posting take-down', subject: id, arguments: { reason } }
  return audited(db, action, async ({ tx, note }) => {
    const locked = await lockPosting(tx, id)
    if (!locked) return refuse('not_found')
    const now = clock.now()
    note(recordOf(locked, now))
    return { posting: recordOf(await changePosting(ctx, tx, locked, ended('taken_down', reason)), now) }
  })
}
