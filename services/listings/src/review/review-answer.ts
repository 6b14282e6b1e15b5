import type { ListingStatus, listings, OutputOf, Verification } from '@callboard/contract'
import { CHECKLIST_VERSION } from '../domain/checklist.ts'
import type { factsOf } from '../domain/review.ts'
import { seenOf } from './seen.ts'

type Facts = ReturnType<typeof factsOf>
type Answer = OutputOf<typeof listings.review>

interface Reviewed {
  readonly slug: string
  readonly status: ListingStatus
  readonly verification: Verification
}

/** The facts under review as the operator receives them, with a digest that identifies them. */
export const reviewAnswer = (
  { slug, status, verification }: Reviewed,
  facts: Facts,
  checklist: Answer['checklist'],
): Answer => ({
  ...{ slug, status, verification },
  facts: { ...facts, operations: [...facts.operations] },
  seen: seenOf(facts),
  checklistVersion: CHECKLIST_VERSION,
  checklist,
})

/** What is stored of a verdict besides its words: everything that the service saw when it was given. */
export const seenAtVerdict = ({ slug: _, ...answer }: Answer) => answer
