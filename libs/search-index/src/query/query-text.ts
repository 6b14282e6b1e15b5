import { folded } from '../words/folding.ts'

/** The greatest length of a query. */
const MAX_KEY = 200

/**
 * A query in the form in which it is searched for and hashed. Control characters (Postgres takes no NUL) and repeated
 * spaces become one space; the scheme of a URL is dropped, since web search syntax would read it as a word.
 */
export const plainQuery = (q: string | undefined): string =>
  (q ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\bhttps?:\/\//gi, '')
    .trim()

/** A key to compare names, and queries with names: equal keys are an exact hit, regardless of case and accents. */
export const nameKey = (name: string): string => folded(plainQuery(name)).slice(0, MAX_KEY)
