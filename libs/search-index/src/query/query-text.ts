import { folded } from '../words/folding.ts'

/** As long as a query may be. */
const MAX_KEY = 200

/**
 * A query as it is searched for and hashed. Control characters (Postgres takes no NUL) and repeated spaces become one
 * space; the scheme of a URL is left out, since web search syntax would take it for a word.
 */
export const plainQuery = (q: string | undefined): string =>
  (q ?? '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\bhttps?:\/\//gi, '')
    .trim()

/**
 * A name, or a query that is compared with names: equal keys are an exact hit, in whatever case and with
 * or without accents. */
export const nameKey = (name: string): string => folded(plainQuery(name)).slice(0, MAX_KEY)
