import type { ListingStatus, Verification } from '@callboard/contract'
import type { Address } from '@callboard/values'
import type { Rejection, ReviewedFacts } from '../listing.ts'

/**
 * The owner's part of a claimed row. From the claim on, the texts are the owner's: neither a source nor the resource
 * itself changes them any more.
 */
export interface Held {
  readonly name: string
  readonly description: string
  /** Set by the owner and the operator; probe results are in the state of the row. */
  readonly status: ListingStatus
  readonly verification: Verification
  /** What the operator verified; null if nothing. */
  readonly reviewed: ReviewedFacts | null
  /** The operator's rejection that is in force. */
  readonly rejection: Rejection | null
  /** The payee that signed the claim; absent if it was claimed at an older release. */
  readonly signedBy?: Address
}

/** The initial part of a new owner: the row as it was shown before. */
export const heldFrom = (shown: Pick<Held, 'name' | 'description'>, signedBy: Address): Held => ({
  name: shown.name,
  description: shown.description,
  status: 'live',
  verification: 'none',
  reviewed: null,
  rejection: null,
  signedBy,
})
