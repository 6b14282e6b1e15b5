import type { HiddenReason, ListingVisibility, ShownIn } from '@callboard/contract'
import { type HiddenFacts, hiddenReasons, notIndexed } from './hidden-reasons.ts'

/** Where the directory has a listing: without a query, and with the given one. */
export interface DirectoryPlaces {
  readonly browsed: readonly ShownIn[]
  /** Null if no query was given. */
  readonly found: readonly ShownIn[] | null
}

/**
 * Each result with the listing's place in it, or why it is not there. If no rule explains that, the listing has not
 * reached the directory yet: a result never omits one without a reason.
 */
export function listingVisibility(facts: HiddenFacts, { browsed, found }: DirectoryPlaces): ListingVisibility {
  const { slug, status, verification, updatedAt } = facts.snapshot
  return {
    slug,
    status,
    verification,
    results: browsed.map(({ result, place, isLonger }) => {
      const asked = found?.find((one) => one.result === result)
      const hidden = place === null ? hiddenReasons(facts, result) : []
      const isBehind = isLonger && hidden.length === 0
      const reasons = place !== null || isBehind ? [] : hidden.length > 0 ? hidden : [notIndexed(updatedAt)]
      if (!asked || reasons.length > 0) return { result, shown: reasons.length === 0, place, reasons }
      const isFound = asked.place !== null || asked.isLonger
      return { result, shown: isFound, place: asked.place, reasons: isFound ? [] : [NOT_MATCHED] }
    }),
  }
}

const NOT_MATCHED: HiddenReason = {
  code: 'not_matched',
  message:
    'The result shows it, but the query does not find it: its texts share no word with the query, or others fit much better.',
  mend: 'In its name, its description and its operations, use the words that buyers search for.',
  deadline: null,
}
