import { type listings, postingChanged } from '@callboard/contract'
import { isRefusal, networkOf } from '@callboard/values'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { openUntil, type Posting, recordOf, snapshotOf } from '../domain/posting/posting.ts'
import { titleRefused } from '../names.ts'
import { lockPlaces, takePlace } from '../postings/take-place.ts'
import { hasVerifiedListing, insertPosting } from '../store/posting.repository.ts'

/** Hosts are written in ASCII, so that no letters can imitate those of another. */
const asciiUrl = (url: string): string => URL.parse(url)?.href ?? url

export const publishPosting: ListingsHandler<typeof listings.publishPosting> = async (
  { requester, expiresAt, ...said },
  ctx,
) => {
  const now = ctx.clock.now()
  const until = openUntil(expiresAt, now)
  if (isRefusal(until)) return until
  const owner = ownerOf(ctx.caller)
  return ctx.db.transaction().execute(async (tx) => {
    await lockPlaces(tx)
    const posting: Posting = {
      ...said,
      contactUrl: asciiUrl(said.contactUrl),
      id: `posting_${ctx.newId()}`,
      version: 1,
      owner,
      status: 'open',
      endedBecause: null,
      hasVerifiedListing: await hasVerifiedListing(tx, owner),
      postedFrom: requester ? networkOf(requester.address) : null,
      createdAt: now,
      updatedAt: now,
      expiresAt: until,
    }
    const refused = (await titleRefused(tx, posting)) ?? (await takePlace(ctx, tx, posting))
    if (refused) return refused
    await insertPosting(tx, posting)
    await ctx.publish(tx, postingChanged, snapshotOf(posting))
    return { posting: recordOf(posting, now) }
  })
}
