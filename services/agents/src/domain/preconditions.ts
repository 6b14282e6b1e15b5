/** The preconditions of a request that stores something, from its headers. */
export interface Preconditions {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: '*' | undefined
}

const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const LIST = new RegExp(String.raw`^[\t ,]*${ENTITY_TAG}(?:[\t ]*,[\t ,]*${ENTITY_TAG})*[\t ,]*$`)

/**
 * Whether a request may store, given the strong entity tag of what is there; undefined if nothing is. A header that is
 * not a list of entity tags matches nothing; neither does a weak tag.
 * @source RFC 9110 §13.1.1, §13.1.2 and §8.8.3
 */
export function hold({ ifMatch, ifNoneMatch }: Preconditions, stored: string | undefined): boolean {
  if (ifNoneMatch === '*' && stored !== undefined) return false
  return ifMatch === undefined || (stored !== undefined && matches(ifMatch, stored))
}

function matches(ifMatch: string, stored: string): boolean {
  if (ifMatch.trim() === '*') return true
  if (!LIST.test(ifMatch)) return false
  return [...ifMatch.matchAll(new RegExp(ENTITY_TAG, 'g'))].some(([tag]) => tag === stored)
}
