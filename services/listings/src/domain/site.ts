import { getDomain } from 'tldts'

/**
 * The site that a URL is on: its registrable domain, also below a host that gives names to others (`*.vercel.app`), or
 * the host if it has none. Hosts below a domain cost nothing, so a limit per host would limit nothing.
 * @source publicsuffix.org, both sections
 */
export const siteOf = (url: string): string =>
  getDomain(url, { allowPrivateDomains: true }) ?? new URL(url).hostname.toLowerCase()

/** The sites of a listing's endpoints, each once, sorted. */
export const sitesOf = (operations: readonly { readonly url: string }[]): string[] =>
  [...new Set(operations.map(({ url }) => siteOf(url)))].sort()
