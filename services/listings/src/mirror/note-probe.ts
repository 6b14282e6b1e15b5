import type { DataOf, probeCompleted } from '@callboard/contract'
import type { ListingsContext } from '../context.ts'
import { afterProbe } from '../domain/mirror/after-probe.ts'
import { lockMirrored } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { changeMirrored } from './change-mirrored.ts'

/** A check of the schedule is what is known of a mirrored row: whether it can be paid, how, and whom. */
export async function noteProbe(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll'>,
  tx: ListingsTx,
  probe: DataOf<typeof probeCompleted>,
): Promise<void> {
  const locked = await lockMirrored(tx, probe.slug)
  if (locked) await changeMirrored(ctx, tx, locked, afterProbe(locked, probe))
}
