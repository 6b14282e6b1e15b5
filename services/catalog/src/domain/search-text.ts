import type { ListingSnapshot } from '@callboard/contract'

/** No longer text is indexed; what comes after is not found. */
const MAX_INDEXED = 20_000
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

/** A name, or a query that is compared with names: equal keys are an exact hit, in whatever case. */
export const nameKey = (name: string): string => plainQuery(name).toLowerCase().slice(0, MAX_KEY)

/** The text in which a query finds a listing: name, description, hosts, endpoint names and URLs. */
export function searchText({
  name,
  description,
  operations,
}: Pick<ListingSnapshot, 'name' | 'description'> & {
  readonly operations: readonly { readonly name: string; readonly url: string }[]
}): string {
  const hosts = new Set(operations.flatMap(({ url }) => URL.parse(url)?.hostname.replaceAll('.', ' ') ?? []))
  const endpoints = operations.map((operation) => `${operation.name} ${operation.url}`)
  return [name, ...hosts, ...endpoints, description].join('\n').slice(0, MAX_INDEXED)
}
