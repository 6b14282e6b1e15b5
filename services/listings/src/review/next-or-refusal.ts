import type { InputOf, listings, OutputOf } from '@callboard/contract'
import { type Refusal, refuse } from '@callboard/values'
import { unanswered, unknownItems } from '../domain/checklist.ts'
import type { Next } from '../domain/status.ts'
import type { ListingsTx } from '../store/tables.ts'

/** A request to look or to judge, in its transaction. */
export interface Reviewing {
  readonly tx: ListingsTx
  readonly input: InputOf<typeof listings.review>
  /** Stores what the verdict is based on. */
  note(saw: unknown): void
}

type Answer = OutputOf<typeof listings.review>
type No = Refusal<'invalid_state' | 'invalid_request'>

/**
 * The result of a verdict, or why it is refused: the listing changed since it was seen, its state does not allow it, or
 * what was seen, its reason or a part of the checklist is missing.
 * @param next the result by the table of states; null if there is none
 */
export function nextOrRefusal({ verdict, seen, reason, checked = [] }: Reviewing['input'], now: Answer, next: Next) {
  if (seen !== undefined && seen !== now.seen) {
    return refuse('invalid_state', { message: 'The listing is no longer as it was seen. Look at it again.' })
  }
  if (!next) {
    return refuse('invalid_state', { message: `${verdict} does not apply: ${now.status}, ${now.verification}.` })
  }
  const refused =
    verdict === 'verify'
      ? (unseenRefused(verdict, seen) ?? checklistRefused(now.checklist, checked))
      : reasonRefused(verdict, reason)
  return refused ?? next
}

function checklistRefused(checklist: Answer['checklist'], checked: readonly string[]): No | undefined {
  const unknown = unknownItems(checked)
  if (unknown.length > 0) {
    return refuse('invalid_request', { field: 'checked', message: `No item is called ${unknown.join(', ')}.` })
  }
  const missing = unanswered(checklist, checked)
  if (missing.length === 0) return undefined
  const words = checklist
    .filter(({ item }) => missing.includes(item))
    .map(({ item, question, detail }) => `${item} (${detail || question})`)
  return refuse('invalid_request', { field: 'checked', message: `Not checked: ${words.join(' ')}` })
}

/** Refuses a verdict in favour that does not name what was seen, which may have changed since. */
export const unseenRefused = (verdict: string, seen: string | undefined): No | undefined =>
  seen === undefined
    ? refuse('invalid_request', {
        field: 'seen',
        message: `${verdict} needs SEEN, which look prints: it names the version that you looked at.`,
      })
    : undefined

/** Refuses a verdict against a listing without a reason for its owner. */
export const reasonRefused = (verdict: string, reason: string | undefined): No | undefined =>
  (verdict === 'reject' || verdict === 'suspend') && reason === undefined
    ? refuse('invalid_request', { field: 'reason', message: `${verdict} needs a reason, which the owner can read.` })
    : undefined
