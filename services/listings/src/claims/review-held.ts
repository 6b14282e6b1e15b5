import { isRefusal, refuse } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { afterAction, heldFacts, heldTransition, statusOf, verificationOf } from '../domain/mirror/held-row.ts'
import { putBack, takenDown } from '../domain/mirror/take-down.ts'
import { rejectionAfter } from '../domain/rejection.ts'
import { actionOf } from '../domain/status.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { nameRefused } from '../names.ts'
import { checklistOfHeld } from '../review/checklist-of.ts'
import { nextOrRefusal, type Reviewing } from '../review/next-or-refusal.ts'
import { reviewAnswer, seenAtVerdict } from '../review/review-answer.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import { type HeldRow, isHeld } from './held-by.ts'

/** Returns a claimed listing to the operator, or applies a verdict to it; an unclaimed row is not found. */
export async function reviewHeld(ctx: ListingsContext, { tx, input, note }: Reviewing) {
  const { slug, verdict, reason } = input
  const locked = await lockMirrored(tx, slug)
  if (!isHeld(locked)) return refuse('not_found')
  const now = ctx.clock.now()
  const checklist = await checklistOfHeld(tx, locked, now)
  const answer = (row: HeldRow) => {
    const reviewed = { slug, status: statusOf(row), verification: verificationOf(row) }
    return reviewAnswer(reviewed, heldFacts(row), checklist)
  }
  if (verdict === 'look') return answer(locked)
  const before = answer(locked)
  note(seenAtVerdict(before))
  const next = nextOrRefusal(input, before, heldTransition(locked, actionOf(verdict)))
  if (isRefusal(next)) return next
  const { owner, held } = locked
  const nameTaken = verdict === 'verify' ? await nameRefused(tx, { owner, name: held.name }) : undefined
  if (nameTaken) return nameTaken
  const changed = async (row: HeldRow) => ({ ...row, ...(await changeMirrored(ctx, tx, locked, row)) }) as HeldRow
  // A suspension overrides all later probes, so it is stored in the row, not in the owner's part.
  if (verdict === 'suspend') return answer(await changed(takenDown(locked, reason ?? '', now) as HeldRow))
  const lifted = verdict === 'reopen' && locked.takenDown ? (putBack(locked, now) as HeldRow) : locked
  const moved = afterAction(lifted, actionOf(verdict), next, now) as HeldRow
  const rejection = rejectionAfter(held.rejection, verdict, reason, now)
  return answer(await changed({ ...moved, held: { ...moved.held, rejection } }))
}
