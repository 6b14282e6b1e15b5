import { createHash } from 'node:crypto'
import type { ListingStatus, listings, OutputOf, Verification } from '@callboard/contract'
import { CHECKLIST_VERSION } from '../domain/checklist.ts'
import type { factsOf } from '../domain/review.ts'

type Facts = ReturnType<typeof factsOf>
type Answer = OutputOf<typeof listings.review>

interface Reviewed {
  readonly slug: string
  readonly status: ListingStatus
  readonly verification: Verification
}

/** What a review judges, as the operator is told it, under a name of its own. */
export const reviewAnswer = (
  { slug, status, verification }: Reviewed,
  facts: Facts,
  checklist: Answer['checklist'],
): Answer => ({
  ...{ slug, status, verification },
  facts: { ...facts, operations: [...facts.operations] },
  seen: nameOfFacts(facts),
  checklistVersion: CHECKLIST_VERSION,
  checklist,
})

/** What is kept of a verdict beside its words: all that was before the service when it was given. */
export const seenAtVerdict = ({ slug: _, ...answer }: Answer) => answer

const NAME_CHARACTERS = 16

/** Other facts have another name. */
export const nameOfFacts = (facts: Facts): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, NAME_CHARACTERS)
