import { schemaOf, whenWoken } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { CatalogContext } from '../context.ts'
import { settledChannel } from '../store/sums/rollup.repository.ts'
import { addUp, hasWork, judgeOne, renewUsage } from '../truth/meter.ts'

/** Judging may take up to a twentieth of the time. */
const REST = 20
const LEAST_REST_MS = SECOND_MS

/**
 * Maintains the sums of settlements and the usage that the directory shows, and judges the weeks that they change. The
 * process that polls first does the work, and the others find nothing left.
 */
export const judgePayments = whenWoken<CatalogContext>(
  'judge-payments',
  ({ name }) => ({ channels: [settledChannel(schemaOf(name))], pollMs: SECOND_MS }),
  async (ctx, signal) => {
    if (!(await hasWork(ctx))) return undefined
    while (!signal.aborted && (await addUp(ctx)));
    while (!signal.aborted && (await renewUsage(ctx)));
    const startedAt = performance.now()
    const judged = await judgeOne(ctx)
    if (judged) await addUp(ctx)
    return judged ? Math.max(LEAST_REST_MS, REST * (performance.now() - startedAt)) : undefined
  },
)
