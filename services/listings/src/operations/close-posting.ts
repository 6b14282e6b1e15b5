import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { type ListingsHandler, ownerInPersonOf } from '../context.ts'
import { ended } from '../domain/posting/posting.ts'
import { changePosting } from '../postings/change-posting.ts'
import { lockPosting } from '../store/posting.repository.ts'

/** Closing it again changes nothing; one that the operator took down stays so. */
export const closePosting: ListingsHandler<typeof listings.closePosting> = async ({ id }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockPosting(tx, id)
    if (!locked || locked.owner !== ownerInPersonOf(ctx.caller)) return refuse('not_found')
    if (locked.status === 'open') await changePosting(ctx, tx, locked, ended('closed', null))
    return {}
  })
