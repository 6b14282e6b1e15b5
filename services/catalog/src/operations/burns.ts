import type { catalog } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { LEDGER_ORDER, LedgerPlace } from '../domain/places.ts'
import { burnPage, totalBurned } from '../store/ledger/burn.repository.ts'
import { atOneMoment } from '../store/tables.ts'

export const burns: CatalogHandler<typeof catalog.burns> = async ({ cursor, limit }, { db, clock, config }) => {
  const paging: Paging = {
    keys: config.LINK_SIGNING_KEY,
    operation: 'catalog.burns',
    order: LEDGER_ORDER,
    question: {},
  }
  const after = cursor === undefined ? undefined : openPlace(paging, LedgerPlace, cursor)
  if (cursor !== undefined && !after) return foreignCursor()
  const { rows, total } = await atOneMoment(db, async (tx) => ({
    rows: await burnPage(tx, limit + 1, after),
    total: await totalBurned(tx),
  }))
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1)?.place : undefined
  return {
    generatedAt: isoTime(clock.now()),
    totalBurned: total,
    burns: page.map(({ item }) => item),
    ...(last ? { nextCursor: sealPlace(paging, last) } : {}),
  }
}
