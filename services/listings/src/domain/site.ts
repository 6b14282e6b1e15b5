import { getDomain } from 'tldts'

/**
 * The site that a URL is on: its registrable domain, of a host that gives names to others too (`*.vercel.app`), or the host
 * where it has none. A host costs nothing below a domain, so what is bounded by host is not bounded.
 * @source publicsuffix.org, both sections
 */
export const siteOf = (url: string): string =>
  getDomain(url, { allowPrivateDomains: true }) ?? new URL(url).hostname.toLowerCase()

/** The sites of a listing's endpoints, each once, sorted. */
export const sitesOf = (operations: readonly { readonly url: string }[]): string[] =>
  [...new Set(operations.map(({ url }) => siteOf(url)))].sort()
