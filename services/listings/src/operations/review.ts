import type { listings } from '@callboard/contract'
import { audited } from '@callboard/store'
import { isRefusal } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { reviewHeld } from '../claims/review-held.ts'
import type { ListingsContext, ListingsHandler } from '../context.ts'
import type { Listing } from '../domain/listing.ts'
import { againstListing, rejectionAfter } from '../domain/rejection.ts'
import { factsOf } from '../domain/review.ts'
import { actionOf, transition } from '../domain/status.ts'
import { leaveMirror } from '../mirror/leave-mirror.ts'
import { nameRefused } from '../names.ts'
import { checklistOf } from '../review/checklist-of.ts'
import { nextOrRefusal, type Reviewing } from '../review/next-or-refusal.ts'
import { reviewAnswer, seenAtVerdict } from '../review/review-answer.ts'
import { lockBySlug } from '../store/listing.repository.ts'

/**
 * Not bound to HTTP: only the operator's command reaches it. A verification names what was seen and applies to that only,
 * so that no change of a listing slips in between. Every verdict is recorded, even one that is refused.
 */
export const review: ListingsHandler<typeof listings.review> = async (input, ctx) => {
  const { slug, verdict, by = 'unnamed', ...words } = input
  if (verdict === 'look') return ctx.db.transaction().execute((tx) => reviewed(ctx, { tx, note: () => {}, input }))
  const action = { by, verb: verdict, subject: slug, arguments: words }
  return audited(ctx.db, action, (noting) => reviewed(ctx, { ...noting, input }))
}

async function reviewed(ctx: ListingsContext, reviewing: Reviewing) {
  const { tx, input, note } = reviewing
  const { verdict, slug, reason } = input
  const locked = await lockBySlug(tx, slug)
  if (!locked) return reviewHeld(ctx, reviewing)
  const now = ctx.clock.now()
  const checklist = await checklistOf(tx, locked, now)
  const answer = (listing: Listing) => reviewAnswer(listing, factsOf(listing), checklist)
  if (verdict === 'look') return answer(locked)
  const before = answer(locked)
  note(seenAtVerdict(before))
  const next = nextOrRefusal(input, before, transition(locked, actionOf(verdict)))
  if (isRefusal(next)) return next
  const nameTaken = verdict === 'verify' ? await nameRefused(tx, locked) : undefined
  if (nameTaken) return nameTaken
  const judged = rejectionAfter(locked.rejection, verdict, reason, now)
  const isAgainst = judged !== null && judged !== locked.rejection
  const rejection = isAgainst ? againstListing(judged, locked) : judged
  const suspendedReason = next.status === 'suspended' ? (reason ?? null) : null
  const changed = await changeListing(ctx, tx, locked, { ...next, rejection, suspendedReason })
  if (isAgainst) await leaveMirror(ctx, tx, rejection?.resources ?? [])
  return answer(changed)
}
