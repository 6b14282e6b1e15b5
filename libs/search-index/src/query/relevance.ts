import type { Ordered } from '../numbers/ordered.ts'
import type { Part, Postings, Terms } from '../words/postings.ts'
import { nameKey } from './query-text.ts'
import { readQuery, saysWhatIs } from './search-query.ts'
import { type Source, sourceOf, Wanted } from './wanted.ts'

/** What can be asked of a document that may be found. */
export interface Found extends Terms {
  readonly nameKey: string
}

/** One relevance of a query: where its documents stand, and which of those it is. */
export interface Tier {
  /** Its documents stand in all sources of one of these. Nothing in one: anywhere. */
  readonly anyOf: readonly (readonly Source[])[]
  /** A document in all sources of one of these is found, without being looked at. */
  readonly isFoundBySources: boolean
  readonly finds: (document: Found) => boolean
  /** Whether a document that is found belongs to a better tier. */
  readonly isBetter: (document: Found) => boolean
}

const ANYWHERE = [[]]
const always = () => true
const never = () => false
const ALL: readonly Tier[] = [{ anyOf: ANYWHERE, isFoundBySources: true, finds: always, isBetter: never }]

/**
 * The relevance tiers of a query, best first: the exact name, words of the name, words anywhere. A query without a word
 * finds everything, and one that only excludes words finds the rest; neither is about names, so both have one tier.
 * @param q made by `plainQuery`
 * @param named the documents of a name key
 */
export function tiersOf(q: string, postings: Postings, named: (key: string) => Ordered | undefined): readonly Tier[] {
  const query = readQuery(q)
  if (query.length === 0) return ALL
  const anyOf = query.map((terms) => terms.map((term) => new Wanted(term, postings)))
  const holdsIn = (part: Part, document: Terms) =>
    anyOf.some((terms) => terms.every((term) => term.holds(document, part)))
  if (!saysWhatIs(query)) {
    const finds = (document: Found) => holdsIn('texts', document)
    return [{ anyOf: ANYWHERE, isFoundBySources: false, finds, isBetter: never }]
  }
  const isFoundBySources = anyOf.every((terms) => terms.every(({ isItsSource }) => isItsSource))
  const key = nameKey(q)
  const isNamed = (document: Found) => document.nameKey === key
  const sources = (part: Part) =>
    anyOf.map((terms) => terms.filter(({ isExcluded }) => !isExcluded).flatMap((term) => term.sources(part)))
  return [
    { anyOf: [[sourceOf([named(key)])]], isFoundBySources: true, finds: isNamed, isBetter: never },
    {
      anyOf: sources('names'),
      isFoundBySources,
      finds: (document) => holdsIn('names', document) && holdsIn('texts', document),
      isBetter: isNamed,
    },
    {
      anyOf: sources('texts'),
      isFoundBySources,
      finds: (document) => holdsIn('texts', document),
      isBetter: (document) => isNamed(document) || holdsIn('names', document),
    },
  ]
}
