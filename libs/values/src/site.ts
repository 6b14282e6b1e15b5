import { getDomain } from 'tldts'
import { networkOf } from './subscriber.ts'

/**
 * The site that a URL is on: its registrable domain, also below a host that gives names to others (`*.vercel.app`), or
 * the host if it has none; of an IPv6 address the network. Hosts below a domain cost nothing, and neither do the
 * addresses of one network, so a limit per host would limit nothing.
 * @source publicsuffix.org, both sections
 */
export function siteOf(url: string): string {
  const { hostname } = new URL(url)
  if (hostname.startsWith('[')) return networkOf(hostname.slice(1, -1))
  return getDomain(url, { allowPrivateDomains: true }) ?? hostname.toLowerCase()
}

/** The sites of endpoints, each once, sorted. */
export const sitesOf = (operations: readonly { readonly url: string }[]): string[] =>
  [...new Set(operations.map(({ url }) => siteOf(url)))].sort()
