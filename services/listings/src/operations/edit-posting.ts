import type { listings } from '@callboard/contract'
import { isRefusal, networkOf, refuse } from '@callboard/values'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { openUntil, type Posting, recordOf, statusAt } from '../domain/posting/posting.ts'
import { titleRefused } from '../names.ts'
import { changePosting } from '../postings/change-posting.ts'
import { lockPlaces, takePlace } from '../postings/take-place.ts'
import { hasVerifiedListing, lockPosting } from '../store/posting.repository.ts'

/** Renewing an expired posting takes a place like a new one, counted for the network that renews it. */
export const editPosting: ListingsHandler<typeof listings.editPosting> = async (
  { id, requester, expiresAt, contactUrl, ...words },
  ctx,
) => {
  const now = ctx.clock.now()
  const until = expiresAt === undefined ? undefined : openUntil(expiresAt, now)
  if (isRefusal(until)) return until
  return ctx.db.transaction().execute(async (tx) => {
    await lockPlaces(tx)
    const locked = await lockPosting(tx, id)
    if (!locked || locked.owner !== ownerOf(ctx.caller)) return refuse('not_found')
    const status = statusAt(locked, now)
    if (status !== 'open' && status !== 'expired') {
      const message = `A posting that is ${status === 'closed' ? 'closed' : 'taken down'} cannot be changed. Publish another.`
      return refuse('invalid_state', { message })
    }
    if (status === 'expired' && until === undefined) {
      return refuse('invalid_state', { message: 'The posting has expired: renew it with a later expiresAt.' })
    }
    const change: Partial<Posting> = {
      ...Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)),
      ...(contactUrl === undefined ? {} : { contactUrl: URL.parse(contactUrl)?.href ?? contactUrl }),
      ...(until === undefined ? {} : { expiresAt: until }),
    }
    const changed = { ...locked, ...change }
    const misleading = changed.title === locked.title && status === 'open' ? undefined : await titleRefused(tx, changed)
    if (misleading) return misleading
    if (status === 'open') return { posting: recordOf(await changePosting(ctx, tx, locked, change), now) }
    const renewed = {
      ...change,
      postedFrom: requester ? networkOf(requester.address) : null,
      // An expired posting is not kept up to date.
      hasVerifiedListing: await hasVerifiedListing(tx, locked.owner),
    }
    const refused = await takePlace(ctx, tx, { ...locked, ...renewed })
    return refused ?? { posting: recordOf(await changePosting(ctx, tx, locked, renewed), now) }
  })
}
