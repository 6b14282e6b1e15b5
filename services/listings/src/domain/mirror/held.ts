import type { ListingStatus, Verification } from '@callboard/contract'
import type { Rejection, ReviewedFacts } from '../listing.ts'

/**
 * What the owner of a claimed row made of it. The words are theirs from the claim on: what a source says of the resource, and
 * the resource of itself, changes them no more.
 */
export interface Held {
  readonly name: string
  readonly description: string
  /** The owner's and the operator's word; what our probe finds stands in the state of the row. */
  readonly status: ListingStatus
  readonly verification: Verification
  /** What the operator verified; null while nothing is. */
  readonly reviewed: ReviewedFacts | null
  /** That the operator rejected it, and has not taken that back. */
  readonly rejection: Rejection | null
}

/** What a row is to its new owner: as it was shown before. */
export const heldFrom = (shown: Pick<Held, 'name' | 'description'>): Held => ({
  name: shown.name,
  description: shown.description,
  status: 'live',
  verification: 'none',
  reviewed: null,
  rejection: null,
})
