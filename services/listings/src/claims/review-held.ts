import type { InputOf, listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { afterAction, heldFacts, heldTransition, statusOf, verificationOf } from '../domain/mirror/held-row.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { nameRefused } from '../names.ts'
import { nameOfFacts, reviewAnswer } from '../review-answer.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { isHeld } from './held-by.ts'

/** The operator's look at a claimed listing, or verdict on it; a row that nobody claimed has none. */
export async function reviewHeld(
  ctx: ListingsContext,
  tx: ListingsTx,
  { slug, verdict, seen, reason }: InputOf<typeof listings.review>,
) {
  const locked = await lockMirrored(tx, slug)
  if (!isHeld(locked)) return refuse('not_found')
  if (verdict === 'look') return answer(locked)
  if (seen !== undefined && seen !== nameOfFacts(heldFacts(locked))) {
    return refuse('invalid_state', { message: 'The listing is not as it was seen; look at it again.' })
  }
  const next = heldTransition(locked, verdict)
  if (!next) {
    const message = `${verdict} does not apply: ${statusOf(locked)}, ${verificationOf(locked)}.`
    return refuse('invalid_state', { message })
  }
  const { owner, held } = locked
  const refused = verdict === 'verify' ? await nameRefused(tx, { owner, name: held.name }) : undefined
  if (refused) return refused
  const at = ctx.clock.now()
  const rejection = verdict === 'reject' ? { at, reason: reason ?? null } : verdict === 'reopen' ? null : held.rejection
  const moved = afterAction(locked, verdict, next, at)
  return answer(await changeMirrored(ctx, tx, locked, { ...moved, held: { ...held, ...moved.held, rejection } }))
}

const answer = (row: Mirrored) => reviewAnswer(row.slug, statusOf(row), verificationOf(row), heldFacts(row))
