import type { catalog } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { windowOf } from '../domain/range.ts'
import { atOneMoment } from '../store/tables.ts'
import { bucketsOf, catalogueCounts, totalsOf } from '../store/totals.repository.ts'

export const stats: CatalogHandler<typeof catalog.stats> = ({ range }, { db, clock, resources, config }) =>
  resources.stats(range, () => {
    const window = windowOf(range, clock.now())
    return atOneMoment(db, async (tx) => ({
      range,
      ...(await totalsOf(tx, window, config.DUST_USD)),
      buckets: await bucketsOf(tx, window),
      catalogue: await catalogueCounts(tx),
    }))
  })
