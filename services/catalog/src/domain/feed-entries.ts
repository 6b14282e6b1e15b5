import type { AskedPrice } from '@callboard/contract'
import type { AtomEntry, AtomLink } from './atom.ts'
import type { ListedSnapshot } from './listed.ts'

export const ATOM_TYPE = 'application/atom+xml'
export const FEED_PATH = '/call/feed.xml'

/** Of a snapshot what its entry says. */
export type FedSnapshot = Pick<
  ListedSnapshot,
  'slug' | 'name' | 'description' | 'category' | 'listedAt' | 'createdAt' | 'updatedAt'
>

const pageOf = (baseUrl: string, slug: string): string => new URL(`/call/${slug}`, baseUrl).href

export const changesPath = (slug: string): string => `/call/${slug}/feed.xml`

/** A listing, for the feed of new ones. */
export const listingEntry = (baseUrl: string, snapshot: FedSnapshot): AtomEntry => ({
  id: pageOf(baseUrl, snapshot.slug),
  title: snapshot.name,
  updated: snapshot.updatedAt,
  published: snapshot.listedAt ?? snapshot.createdAt,
  summary: snapshot.description,
  category: snapshot.category,
  links: [
    alternate(pageOf(baseUrl, snapshot.slug)),
    { rel: 'related', type: ATOM_TYPE, href: new URL(changesPath(snapshot.slug), baseUrl).href },
  ],
})

const alternate = (href: string): AtomLink => ({ rel: 'alternate', type: 'text/html', href })

/** What a listing asked and sold from one of its versions on. */
export interface AskedVersion {
  readonly version: number
  /** Milliseconds. */
  readonly since: number
  readonly prices: readonly AskedPrice[]
  /** Null where it was not written down. */
  readonly resources: readonly string[] | null
}

/** The changes of a listing as entries, newest first: versions that ask and sell what the one before did are none. */
export function changeEntries(
  baseUrl: string,
  slug: string,
  versions: readonly AskedVersion[],
  limit: number,
): AtomEntry[] {
  const oldestFirst = versions.toSorted((one, other) => one.version - other.version)
  const changes = oldestFirst.flatMap((now, at) => {
    const said = changeOf(oldestFirst[at - 1], now)
    return said === undefined ? [] : [{ now, said }]
  })
  return changes
    .toReversed()
    .slice(0, limit)
    .map(({ now: { version, since }, said }) => {
      const at = new Date(since).toISOString()
      return {
        id: `${pageOf(baseUrl, slug)}#version-${version}`,
        ...{ title: said.title, summary: said.summary, updated: at, published: at },
        links: [alternate(pageOf(baseUrl, slug))],
      }
    })
}

/** What a version changed, in words; undefined where it changed nothing of its offer. */
function changeOf(before: AskedVersion | undefined, now: AskedVersion): { title: string; summary: string } | undefined {
  const asks = inWords(now.prices)
  if (!before) return { title: `Listed: ${asks}`, summary: sells(now, asks) }
  const asked = inWords(before.prices)
  if (asks !== asked) return { title: `Now ${asks}`, summary: `${sells(now, asks)} Before: ${asked}.` }
  if (before.resources === null || now.resources === null) return undefined
  const added = now.resources.filter((resource) => !before.resources?.includes(resource))
  const left = before.resources.filter((resource) => !now.resources?.includes(resource))
  if (added.length + left.length === 0) return undefined
  return {
    title: 'Other endpoints',
    summary: [
      ...(added.length > 0 ? [`New: ${added.join(', ')}.`] : []),
      ...(left.length > 0 ? [`Gone: ${left.join(', ')}.`] : []),
    ].join(' '),
  }
}

const sells = ({ resources }: AskedVersion, asks: string): string =>
  resources && resources.length > 0 ? `${asks}, for ${resources.join(', ')}.` : `${asks}.`

/** Prices in one order, each once; a listing that is offline asks nothing. */
function inWords(prices: readonly AskedPrice[]): string {
  const each = prices.map(({ amountUsd, network, asset }) => `${amountUsd} USD in ${asset} on ${network}`)
  return each.length === 0 ? 'asks for no payment' : `asks ${[...new Set(each)].toSorted().join(', ')}`
}
