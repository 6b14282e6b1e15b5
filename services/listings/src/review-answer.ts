import { createHash } from 'node:crypto'
import type { ListingStatus, Verification } from '@callboard/contract'
import type { factsOf } from './domain/review.ts'

type Facts = ReturnType<typeof factsOf>

/** What a review judges, as the operator is told it, under a name of its own. */
export const reviewAnswer = (slug: string, status: ListingStatus, verification: Verification, facts: Facts) => ({
  ...{ slug, status, verification },
  facts: { ...facts, operations: [...facts.operations] },
  seen: nameOfFacts(facts),
})

const NAME_CHARACTERS = 16

/** Other facts have another name. */
export const nameOfFacts = (facts: Facts): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, NAME_CHARACTERS)
