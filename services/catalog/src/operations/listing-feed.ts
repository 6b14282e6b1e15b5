import { type catalog, Slug } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { atomDocument } from '../domain/atom.ts'
import { ATOM_TYPE, changeEntries, changesPath } from '../domain/feed-entries.ts'
import { offeredBy } from '../store/entry/offer.repository.ts'
import { publishedName } from '../store/feed.repository.ts'

const MOST_ENTRIES = 50
/** Most versions do not change the offers. */
const MOST_VERSIONS = 1_000

export const listingFeed: CatalogHandler<typeof catalog.listingFeed> = async ({ serviceId }, { config, db }) => {
  const name = Slug.safeParse(serviceId).success ? await publishedName(db, serviceId) : undefined
  if (name === undefined) return refuse('not_found')
  const { origin } = new URL(config.BASE_URL)
  const self = new URL(changesPath(serviceId), origin).href
  return atomDocument({
    id: self,
    title: `${name}: changes`,
    subtitle: 'What the listing offers, as our own probe read it.',
    author: { name: 'Callboard', uri: origin },
    links: [
      { rel: 'self', type: ATOM_TYPE, href: self },
      { rel: 'alternate', type: 'text/html', href: new URL(`/call/${serviceId}`, origin).href },
    ],
    entries: changeEntries(origin, serviceId, await offeredBy(db, serviceId, MOST_VERSIONS), MOST_ENTRIES),
  })
}
