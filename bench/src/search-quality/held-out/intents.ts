import type { Intent } from '../intents.ts'
import type { JudgedListing } from '../listings.ts'
import { byBrand, byHost, filtered, mistyped } from './made.ts'
import { QUERIES } from './queries.ts'
import { gradeOf } from './relevance.ts'

/**
 * A second set, over the same listings, by an author who knew the kinds of the first, but saw none of
 * its queries, nor the table of aliases or the ranking.
 * It says how search does where nobody tuned it. It stays of use only as long as that is so: what it shows to be weak is
 * mended for a reason found elsewhere, never until these queries pass.
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
