import { readQuery, saysWhatIs } from '../domain/search-query.ts'
import { nameKey } from '../domain/search-text.ts'
import type { Ordered } from './ordered.ts'
import type { Part, Postings, Terms } from './postings.ts'
import { type Source, sourceOf, Wanted } from './wanted.ts'

/** What can be asked of a listing that may be found. */
export interface Found extends Terms {
  readonly nameKey: string
}

/** One relevance of a query: where its listings stand, and which of those it is. */
export interface Tier {
  /** Its listings stand in all sources of one of these. Nothing in one: anywhere. */
  readonly anyOf: readonly (readonly Source[])[]
  /** Who stands in all sources of one of these is found; without looking at the listing. */
  readonly isFoundBySources: boolean
  readonly finds: (listing: Found) => boolean
  /** Whether a listing that is found belongs to a better tier. */
  readonly isBetter: (listing: Found) => boolean
}

const ANYWHERE = [[]]
const always = () => true
const never = () => false
const ALL: readonly Tier[] = [{ anyOf: ANYWHERE, isFoundBySources: true, finds: always, isBetter: never }]

/**
 * The relevance tiers of a query, best first: the exact name, words of the name, words anywhere. A query without a word
 * finds everything, and one that only excludes words finds the rest; neither is about names, so both have one tier.
 * @param q made by `plainQuery`
 * @param named the listings of a name key
 */
export function tiersOf(q: string, postings: Postings, named: (key: string) => Ordered | undefined): readonly Tier[] {
  const query = readQuery(q)
  if (query.length === 0) return ALL
  const anyOf = query.map((terms) => terms.map((term) => new Wanted(term, postings)))
  const holdsIn = (part: Part, listing: Terms) =>
    anyOf.some((terms) => terms.every((term) => term.holds(listing, part)))
  if (!saysWhatIs(query)) {
    const finds = (listing: Found) => holdsIn('texts', listing)
    return [{ anyOf: ANYWHERE, isFoundBySources: false, finds, isBetter: never }]
  }
  const isFoundBySources = anyOf.every((terms) => terms.every(({ isItsSource }) => isItsSource))
  const key = nameKey(q)
  const isNamed = (listing: Found) => listing.nameKey === key
  const sources = (part: Part) =>
    anyOf.map((terms) => terms.filter(({ isExcluded }) => !isExcluded).flatMap((term) => term.sources(part)))
  return [
    { anyOf: [[sourceOf([named(key)])]], isFoundBySources: true, finds: isNamed, isBetter: never },
    {
      anyOf: sources('names'),
      isFoundBySources,
      finds: (listing) => holdsIn('names', listing) && holdsIn('texts', listing),
      isBetter: isNamed,
    },
    {
      anyOf: sources('texts'),
      isFoundBySources,
      finds: (listing) => holdsIn('texts', listing),
      isBetter: (listing) => isNamed(listing) || holdsIn('names', listing),
    },
  ]
}
