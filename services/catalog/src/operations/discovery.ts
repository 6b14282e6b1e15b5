import { RawJson } from '@callboard/bus'
import {
  type catalog,
  DISCOVERY_PROTOCOL,
  type DiscoveryPage,
  ItemKind,
  MOST_HIDDEN,
  RANKING_VERSION,
} from '@callboard/contract'
import { plainQuery } from '@callboard/search-index'
import type { CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { postingOf } from '../directory/indexed-posting.ts'
import { DirectoryPlace } from '../domain/places.ts'
import { postingItem } from '../domain/posting-card.ts'
import { discoverable } from '../domain/visibility.ts'

export const discovery: CatalogHandler<typeof catalog.discovery> = async (input, ctx) => {
  const { network, limit, includeUnverified, category, maxPrice, payTo, asset, minUptime } = input
  const filters = { network, category, maxPrice, payTo, asset, minUptime }
  const q = plainQuery(input.q)
  const kinds = ItemKind.options.filter((kind) => input.kinds === undefined || input.kinds.includes(kind))
  const paging: Paging = {
    keys: ctx.config.LINK_SIGNING_KEY,
    operation: 'catalog.discovery',
    order: RANKING_VERSION,
    question: { q, kinds, includeUnverified, ...filters },
  }
  const after = input.cursor === undefined ? undefined : openPlace(paging, DirectoryPlace, input.cursor)
  if (input.cursor !== undefined && !after) return foreignCursor()
  const question = { q, kinds, ...filters, visibility: discoverable(includeUnverified), nowMs: ctx.clock.now() }
  const mostHidden = includeUnverified || after ? 0 : MOST_HIDDEN
  const { directory, serializedItems } = ctx.resources
  const { rows, hidden, floors } = directory.pageWithHidden(question, { limit: limit + 1, after, mostHidden })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1)?.place : undefined
  const items = page.map(({ kept }) =>
    kept.posting ? RawJson.value(postingItem(postingOf(kept), filters)) : serializedItems().of(kept, filters),
  )
  return RawJson.object<DiscoveryPage>({
    protocol: DISCOVERY_PROTOCOL,
    items: RawJson.list(items),
    nextCursor: last ? sealPlace(paging, last) : null,
    hiddenUnverified: hidden,
    unavailableKinds: kinds.filter((kind) => directory.unavailableKinds.includes(kind)),
    ...(input.facets ? { facets: directory.facets(question, floors) } : {}),
    rankingVersion: RANKING_VERSION,
  })
}
