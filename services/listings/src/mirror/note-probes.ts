import type { DataOf, probeCompleted } from '@callboard/contract'
import type { ListingsContext } from '../context.ts'
import { afterProbe } from '../domain/mirror/after-probe.ts'
import { lockAllMirrored } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { changeAllMirrored } from './change-mirrored.ts'

/**
 * Applies the schedule's checks to mirrored rows: whether they can be paid, how, and to whom. Several checks of one row
 * are applied in order.
 */
export async function noteProbes(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll'>,
  tx: ListingsTx,
  probes: readonly DataOf<typeof probeCompleted>[],
): Promise<void> {
  if (probes.length === 0) return
  const bySlug = Map.groupBy(probes, ({ slug }) => slug)
  const rows = await lockAllMirrored(tx, [...bySlug.keys()])
  const changes = rows.map((locked) => ({ locked, next: (bySlug.get(locked.slug) ?? []).reduce(afterProbe, locked) }))
  await changeAllMirrored(
    ctx,
    tx,
    changes.filter(({ locked, next }) => next !== locked),
  )
}
