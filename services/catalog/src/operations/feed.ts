import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { atomDocument } from '../domain/atom.ts'
import { ATOM_TYPE, FEED_PATH, listingEntry } from '../domain/feed-entries.ts'
import { newestVerified } from '../store/feed.repository.ts'

const MOST_ENTRIES = 50

export const feed: CatalogHandler<typeof catalog.feed> = async (_input, { config, db }) => {
  const { origin } = new URL(config.BASE_URL)
  const self = new URL(FEED_PATH, origin).href
  const newest = await newestVerified(db, MOST_ENTRIES)
  return atomDocument({
    id: self,
    title: 'Callboard: newly verified listings',
    subtitle: 'APIs that are paid per call with x402, each reviewed by the operator.',
    author: { name: 'Callboard', uri: origin },
    links: [
      { rel: 'self', type: ATOM_TYPE, href: self },
      { rel: 'alternate', type: 'text/html', href: new URL('/', origin).href },
    ],
    entries: newest.map((snapshot) => listingEntry(origin, snapshot)),
  })
}
