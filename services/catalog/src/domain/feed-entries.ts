import type { OfferChange, OfferField } from '@callboard/contract'
import type { AtomEntry, AtomLink } from './atom.ts'
import { changedOffers, type OfferedFrom, type OfferedVersions } from './entry/offer-changes.ts'
import type { ListedSnapshot } from './listed.ts'
import { shortened } from './shortened.ts'

export const ATOM_TYPE = 'application/atom+xml'
export const FEED_PATH = '/call/feed.xml'

/** The parts of a snapshot that its entry uses. */
export type FedSnapshot = Pick<
  ListedSnapshot,
  'slug' | 'name' | 'description' | 'category' | 'listedAt' | 'createdAt' | 'updatedAt'
>

const pageOf = (baseUrl: string, slug: string): string => new URL(`/call/${slug}`, baseUrl).href

export const changesPath = (slug: string): string => `/call/${slug}/feed.xml`

/** Twenty endpoints with the longest URLs may change at once, and fifty such entries, escaped, must fit one answer. */
const SUMMARY_CHARACTERS = 2_000

/** Joins the statements of an entry into one text: as many as fit, and the number of those left out. */
function inOneText(said: readonly string[]): string {
  let text = ''
  for (const [at, one] of said.entries()) {
    const longer = at === 0 ? shortened(one) : `${text}. ${shortened(one)}`
    if (longer.length > SUMMARY_CHARACTERS) return `${text}. And ${said.length - at} more`
    text = longer
  }
  return text
}

/** The entry of a listing in the feed of new ones. */
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

/** The changes of a listing's offers as entries, newest first; the oldest lists the first offers, if known. */
export function changeEntries(
  baseUrl: string,
  slug: string,
  { versions, isWhole }: OfferedVersions,
  limit: number,
): AtomEntry[] {
  const entryOf = ({ version, since }: Pick<OfferedFrom, 'version' | 'since'>, said: readonly string[]): AtomEntry => {
    const [first = '', ...more] = said
    const title = shortened(first)
    const at = since.toISOString()
    return {
      id: `${pageOf(baseUrl, slug)}#version-${version}`,
      title: more.length === 0 ? title : `${title}, and ${more.length} more`,
      ...{ summary: inOneText(said), updated: at, published: at },
      links: [alternate(pageOf(baseUrl, slug))],
    }
  }
  const [first] = versions.toSorted((one, other) => one.version - other.version)
  const entries = changedOffers(versions).map((one) => entryOf(one, one.changes.map(changeInWords)))
  return [...entries, ...(first && isWhole ? [entryOf(first, offeredFirst(first))] : [])].slice(0, limit)
}

const offeredFirst = ({ offers }: OfferedFrom): string[] =>
  offers.length === 0
    ? ['Listed: nothing that can be paid']
    : offers.map(
        ({ method, url, price, asset, network }) =>
          `Listed: ${method} ${url} for ${price} USD in ${asset} on ${network}`,
      )

/** Fields have the names of the catalogue entry, where programs read the same data. */
function changeInWords({ method, url, field, from, to }: OfferChange): string {
  if (field === 'payable') return `${to === 'true' ? 'New' : 'Gone'}: ${method} ${url}`
  const unit = UNITS[field] ?? ''
  return `${field} of ${method} ${url}: ${to ? `${to}${unit}` : 'none'}, before ${from ? `${from}${unit}` : 'none'}`
}

const UNITS: Partial<Record<OfferField, string>> = { price: ' USD', maxTimeoutSeconds: ' s' }
