import { type catalog, Slug } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { LEDGER_ORDER, LedgerPlace } from '../domain/places.ts'
import { windowOf } from '../domain/range.ts'
import { ledgerPage } from '../store/ledger/ledger.repository.ts'

export const activity: CatalogHandler<typeof catalog.activity> = async (input, { db, clock, config }) => {
  const { range, listing, address, cursor, limit } = input
  const paging: Paging = {
    keys: config.LINK_SIGNING_KEY,
    operation: 'catalog.activity',
    order: LEDGER_ORDER,
    question: { range, listing, address },
  }
  const after = cursor === undefined ? undefined : openPlace(paging, LedgerPlace, cursor)
  if (cursor !== undefined && !after) return foreignCursor()
  const generatedAt = isoTime(clock.now())
  if (listing !== undefined && !Slug.safeParse(listing).success) return { range, generatedAt, items: [] }
  const { since } = windowOf(range, clock.now())
  const rows = await ledgerPage(db, { since, slug: listing, address }, limit + 1, after)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1)?.place : undefined
  return {
    range,
    generatedAt,
    items: page.map(({ item }) => item),
    ...(last ? { nextCursor: sealPlace(paging, last) } : {}),
  }
}
