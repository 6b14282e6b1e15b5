import type { Intent } from '../intents.ts'
import type { JudgedListing } from '../listings.ts'
import { byBrand, byHost, filtered, mistyped } from './made.ts'
import { QUERIES } from './queries.ts'
import { gradeOf } from './relevance.ts'

/**
 * A second set, over the same listings, by an author who knew the kinds of the first, but saw none of its queries, nor
 * the table of aliases or the ranking. It shows how search performs where nobody tuned it, and is useful only while
 * that holds: a weakness that it reveals is fixed for a reason found elsewhere, never until these queries pass.
 */
export const heldOutIntents = (listings: readonly JudgedListing[]): Intent<string>[] => [
  ...Object.entries(QUERIES).flatMap(([kind, rows]) =>
    rows.map(([wanted, q]) => ({ kind, q, gradeOf: gradeOf(wanted) })),
  ),
  ...mistyped(),
  ...byBrand(listings),
  ...byHost(listings),
  ...filtered(listings),
]
