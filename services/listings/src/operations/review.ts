import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { reviewHeld } from '../claims/review-held.ts'
import type { ListingsHandler } from '../context.ts'
import type { Listing } from '../domain/listing.ts'
import { factsOf } from '../domain/review.ts'
import { transition } from '../domain/status.ts'
import { nameRefused } from '../names.ts'
import { nameOfFacts, reviewAnswer } from '../review-answer.ts'
import { lockBySlug } from '../store/listing.repository.ts'

/**
 * Not bound to HTTP: only the operator's command reaches it. A verdict that names what was looked at is on that alone, so
 * that no change of a listing falls between the look and the verdict.
 */
export const review: ListingsHandler<typeof listings.review> = async ({ slug, verdict, seen, reason }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (!locked) return reviewHeld(ctx, tx, { slug, verdict, seen, reason })
    if (verdict === 'look') return reviewed(locked)
    if (seen !== undefined && seen !== nameOfFacts(factsOf(locked))) {
      return refuse('invalid_state', { message: 'The listing is not as it was seen; look at it again.' })
    }
    const next = transition(locked, verdict)
    if (!next) {
      return refuse('invalid_state', {
        message: `${verdict} does not apply: ${locked.status}, ${locked.verification}.`,
      })
    }
    const refused = verdict === 'verify' ? await nameRefused(tx, locked) : undefined
    if (refused) return refused
    const rejection =
      verdict === 'reject'
        ? { at: ctx.clock.now(), reason: reason ?? null }
        : verdict === 'reopen'
          ? null
          : locked.rejection
    return reviewed(await changeListing(ctx, tx, locked, { ...next, rejection }))
  })

const reviewed = (listing: Listing) =>
  reviewAnswer(listing.slug, listing.status, listing.verification, factsOf(listing))
