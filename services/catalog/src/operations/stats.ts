import type { catalog } from '@callboard/contract'
import { windowOf } from '../domain/range.ts'
import type { CatalogHandler } from '../kit.ts'
import { atOneMoment } from '../store/tables.ts'
import { bucketsOf, catalogueCounts, totalsOf } from '../store/totals.repository.ts'

export const stats: CatalogHandler<typeof catalog.stats> = ({ range }, { db, clock, parts }) =>
  parts.stats(range, () => {
    const window = windowOf(range, clock.now())
    return atOneMoment(db, async (tx) => ({
      range,
      ...(await totalsOf(tx, window)),
      buckets: await bucketsOf(tx, window),
      catalogue: await catalogueCounts(tx),
    }))
  })
