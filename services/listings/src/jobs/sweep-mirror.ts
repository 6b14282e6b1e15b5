import { schemaOf, type Waking, whenWoken } from '@callboard/runtime'
import { MINUTE_MS, SECOND_MS } from '@callboard/values'
import type { ListingsContext } from '../context.ts'
import { stale } from '../domain/mirror/stale.ts'
import { changeMirrored, removeMirrored } from '../mirror/change-mirrored.ts'
import { lockOverdue, type Overdue } from '../store/mirror.repository.ts'
import { sourcesChannel } from '../store/source.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

const AT_ONCE = 100

/** Woken if a source is removed, and otherwise by time alone. */
const waking = (ctx: ListingsContext): Waking => ({
  channels: [sourcesChannel(schemaOf(ctx.name))],
  pollMs: SECOND_MS,
  sweepMs: MINUTE_MS,
})

/**
 * Changes mirrored rows by time alone: one that no probe could read becomes stale; one that no source names any more is
 * removed, a suspended one later than others: named again, it would be payable without the review that it waits for. A
 * row with an owner is never removed.
 */
export const sweepMirror = whenWoken<ListingsContext>('sweep-mirror', waking, async (ctx, signal) => {
  let isMore = true
  while (isMore && !signal.aborted) isMore = await ctx.db.transaction().execute((tx) => sweep(ctx, tx))
  return undefined
})

/** @returns whether there may be more */
async function sweep(ctx: ListingsContext, tx: ListingsTx): Promise<boolean> {
  const { MIRROR_STALE_AFTER_MS, MIRROR_KEEP_UNNAMED_MS, MIRROR_HOLD_MS } = ctx.config
  const now = ctx.clock.now()
  const overdue = (what: Overdue, afterMs: number) => lockOverdue(tx, what, new Date(now - afterMs), AT_ONCE)
  const unread = await overdue('unread', MIRROR_STALE_AFTER_MS)
  for (const row of unread) await changeMirrored(ctx, tx, row, stale(row, now))
  const unnamed = await overdue('unnamed', MIRROR_KEEP_UNNAMED_MS)
  await removeMirrored(ctx, tx, unnamed)
  const held = await overdue('held', MIRROR_HOLD_MS)
  await removeMirrored(ctx, tx, held)
  return [unread, unnamed, held].some(({ length }) => length === AT_ONCE)
}
