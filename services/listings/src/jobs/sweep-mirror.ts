import { schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { stale } from '../domain/mirror/stale.ts'
import { changeMirrored, removeMirrored } from '../mirror/change-mirrored.ts'
import { lockOverdue, type Overdue } from '../store/mirror.repository.ts'
import { sourcesChannel } from '../store/source.repository.ts'

const AT_ONCE = 100

/** A source that was removed is a reason to look, and otherwise time alone. */
const waking = (ctx: ListingsContext): Waking => ({
  channels: [sourcesChannel(schemaOf(ctx.name))],
  beatMs: SECOND_MS,
  sweepMs: MINUTE_MS,
})

/**
 * What time alone does to mirrored rows: one that no probe could read grows stale, one that no source names any more leaves,
 * and so does one that was suspended and that no operator looked at. A row with an owner leaves by neither.
 */
export const sweepMirror = whenWoken<ListingsContext>('sweep-mirror', waking, async (ctx, signal) => {
  const { MIRROR_STALE_AFTER_MS, MIRROR_KEEP_UNNAMED_MS, MIRROR_HOLD_MS } = ctx.config
  await sweep(ctx, signal, 'unread', MIRROR_STALE_AFTER_MS)
  await sweep(ctx, signal, 'unnamed', MIRROR_KEEP_UNNAMED_MS)
  await sweep(ctx, signal, 'held', MIRROR_HOLD_MS)
  return undefined
})

async function sweep(ctx: ListingsContext, signal: AbortSignal, overdue: Overdue, afterMs: number): Promise<void> {
  let swept = AT_ONCE
  while (swept === AT_ONCE && !signal.aborted) {
    swept = await ctx.db.transaction().execute(async (tx) => {
      const now = ctx.clock.now()
      const rows = await lockOverdue(tx, overdue, new Date(now - afterMs), AT_ONCE)
      if (overdue !== 'unread') await removeMirrored(ctx, tx, rows)
      else for (const row of rows) await changeMirrored(ctx, tx, row, stale(row, now))
      return rows.length
    })
  }
}
