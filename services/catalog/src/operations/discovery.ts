import { type catalog, DISCOVERY_PROTOCOL, ItemKind, MOST_HIDDEN, RANKING_VERSION } from '@callboard/contract'
import { plainQuery } from '@callboard/search-index'
import type { z } from 'zod'
import type { CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { DirectoryPlace } from '../domain/places.ts'
import { discoverable, hidden } from '../domain/visibility.ts'

/** The kinds that the catalogue holds; the others exist in the protocol and have no rows here. */
const HELD: readonly z.output<typeof ItemKind>[] = ['api']

export const discovery: CatalogHandler<typeof catalog.discovery> = async (input, ctx) => {
  const { network, limit, includeUnverified } = input
  const key = ctx.config.LINK_SIGNING_KEY
  const q = plainQuery(input.q)
  const kinds = ItemKind.options.filter((kind) => input.kinds === undefined || input.kinds.includes(kind))
  const paging: Paging = {
    key,
    operation: 'catalog.discovery',
    order: RANKING_VERSION,
    question: { q, kinds, network, includeUnverified },
  }
  const after = input.cursor === undefined ? undefined : openPlace(paging, DirectoryPlace, input.cursor)
  if (input.cursor !== undefined && !after) return foreignCursor()
  const question = { q, network, visibility: discoverable(includeUnverified), nowMs: ctx.clock.now() }
  const isHeld = kinds.some((kind) => HELD.includes(kind))
  const rows = isHeld ? ctx.resources.directory.page(question, limit + 1, after) : []
  const page = rows.slice(0, limit)
  const countsHidden = isHeld && !includeUnverified && !after
  const unverified = countsHidden ? ctx.resources.directory.count({ ...question, visibility: hidden }, MOST_HIDDEN) : 0
  const last = rows.length > limit ? page.at(-1)?.place : undefined
  return {
    protocol: DISCOVERY_PROTOCOL,
    items: page.map(({ listed }) => ctx.resources.itemOf(listed, network)),
    nextCursor: last ? sealPlace(paging, last) : null,
    hiddenUnverified: unverified,
    unavailableKinds: kinds.filter((kind) => !HELD.includes(kind)),
    rankingVersion: RANKING_VERSION,
  }
}
