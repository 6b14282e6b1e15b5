import type { Ordered } from '../numbers/ordered.ts'
import type { Terms } from '../words/postings.ts'

/** Documents in their order. */
export interface Documents {
  /** The positions of all documents. */
  readonly everything: Ordered
  at(position: number): Terms
}
