import { type catalog, Slug } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { atomDocument } from '../domain/atom.ts'
import type { OfferedVersions } from '../domain/entry/offer-changes.ts'
import { ATOM_TYPE, changeEntries, changesPath } from '../domain/feed-entries.ts'
import { offeredBy, versionsOffered } from '../store/entry/offer.repository.ts'
import { publishedName } from '../store/feed.repository.ts'
import { atOneMoment } from '../store/tables.ts'

const MOST_ENTRIES = 50
/** Most versions do not change the offers. */
const MOST_VERSIONS = 1_000

export const listingFeed: CatalogHandler<typeof catalog.listingFeed> = async ({ serviceId }, ctx) => {
  if (!Slug.safeParse(serviceId).success) return refuse('not_found')
  const { origin } = new URL(ctx.config.BASE_URL)
  return atOneMoment(ctx.db, async (tx) => {
    const name = await publishedName(tx, serviceId)
    if (name === undefined) return refuse('not_found')
    const versions = `${await versionsOffered(tx, serviceId, MOST_VERSIONS)} ${name}`
    return ctx.resources.listingFeeds(serviceId, versions, async () =>
      feedOf(origin, serviceId, name, await offeredBy(tx, serviceId, MOST_VERSIONS)),
    )
  })
}

function feedOf(origin: string, slug: string, name: string, offered: OfferedVersions): string {
  const self = new URL(changesPath(slug), origin).href
  return atomDocument({
    id: self,
    title: `${name}: changes`,
    subtitle: 'What the listing offers, as our own probe read it.',
    author: { name: 'Callboard', uri: origin },
    links: [
      { rel: 'self', type: ATOM_TYPE, href: self },
      { rel: 'alternate', type: 'text/html', href: new URL(`/call/${slug}`, origin).href },
    ],
    entries: changeEntries(origin, slug, offered, MOST_ENTRIES),
  })
}
