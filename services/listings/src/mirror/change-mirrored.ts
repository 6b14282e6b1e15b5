import { listingChanged, listingRemoved } from '@callboard/contract'
import type { ListingsContext } from '../context.ts'
import { isShownAlike, mirrorSnapshot } from '../domain/mirror/mirror-view.ts'
import type { Mirrored } from '../domain/mirror/mirrored.ts'
import { deleteMirrored, saveMirrored } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

type Publishing = Pick<ListingsContext, 'clock' | 'publish' | 'publishAll'>

/**
 * Writes a locked row in its new state. If its visible state changed, it is published under its next version; a newer
 * reading of the same offer is not.
 */
export async function changeMirrored(
  ctx: Publishing,
  tx: ListingsTx,
  locked: Mirrored,
  next: Mirrored,
): Promise<Mirrored> {
  if (isShownAlike(locked, next)) {
    await saveMirrored(tx, next)
    return next
  }
  const changed = { ...next, version: locked.version + 1, updatedAt: ctx.clock.now() }
  await saveMirrored(tx, changed)
  await ctx.publish(tx, listingChanged, mirrorSnapshot(changed))
  return changed
}

/** Writes many locked rows in their new state, each as `changeMirrored` does. */
export async function changeAllMirrored(
  ctx: Publishing,
  tx: ListingsTx,
  changes: readonly { readonly locked: Mirrored; readonly next: Mirrored }[],
): Promise<void> {
  const updatedAt = ctx.clock.now()
  const [changed, alike]: [Mirrored[], Mirrored[]] = [[], []]
  for (const { locked, next } of changes) {
    if (isShownAlike(locked, next)) alike.push(next)
    else changed.push({ ...next, version: locked.version + 1, updatedAt })
  }
  await Promise.all([...changed, ...alike].map((row) => saveMirrored(tx, row)))
  if (changed.length > 0) await ctx.publishAll(tx, listingChanged, changed.map(mirrorSnapshot))
}

/**
 * Removes locked rows from the directory. Nothing of them is kept: if named again, a resource starts anew, with a
 * version above its old ones, because a row's first version is its creation time in seconds.
 */
export async function removeMirrored(ctx: Publishing, tx: ListingsTx, rows: readonly Mirrored[]): Promise<void> {
  if (rows.length === 0) return
  await deleteMirrored(
    tx,
    rows.map(({ slug }) => slug),
  )
  await ctx.publishAll(
    tx,
    listingRemoved,
    rows.map(({ slug, version }) => ({ slug, version: version + 1 })),
  )
}

/** The first version of a row: above all those of a removed row of this slug. @param now milliseconds */
export const firstVersion = (now: number): number => Math.max(1, Math.floor(now / 1_000))
