import { type catalog, MOST_PENDING_CHANGES } from '@callboard/contract'
import type { CatalogHandler } from '../context.ts'
import { windowOf } from '../domain/range.ts'
import { catalogueCounts } from '../store/catalogue-counts.repository.ts'
import { progressOf } from '../store/chain-progress.repository.ts'
import { networkSums } from '../store/sums/network-sums.repository.ts'
import { pendingChanges } from '../store/sums/rollup.repository.ts'
import { atOneMoment } from '../store/tables.ts'
import { addUpBeforeRead } from '../truth/meter.ts'

/** The latest changes are added up before the read, unless other processes hold the sums for long. */
export const stats: CatalogHandler<typeof catalog.stats> = ({ range }, ctx) =>
  ctx.resources.stats(range, async () => {
    const { db, clock, config } = ctx
    await addUpBeforeRead(ctx)
    const window = windowOf(range, clock.now())
    return atOneMoment(db, async (tx) => ({
      range,
      ...(await networkSums(tx, window, config.DUST_USD)),
      catalogue: await catalogueCounts(tx),
      chains: await progressOf(tx, clock.now()),
      pendingChanges: await pendingChanges(tx, MOST_PENDING_CHANGES),
    }))
  })
