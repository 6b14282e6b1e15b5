import type { ListingsContext } from '../context.ts'
import { judgedResources } from '../store/listing.repository.ts'
import { lockListedResources, lockMirror } from '../store/mirror.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { removeMirrored } from './change-mirrored.ts'

/**
 * Removes the mirrored rows of what a listing sold that the operator rejected or suspended: its owner may have taken it
 * down before, so that sources could name its endpoints again.
 */
export async function leaveMirror(
  ctx: Pick<ListingsContext, 'clock' | 'publish' | 'publishAll'>,
  tx: ListingsTx,
  resources: readonly string[],
): Promise<void> {
  await lockMirror(tx)
  const judged = await judgedResources(tx, resources)
  if (judged.size > 0) await removeMirrored(ctx, tx, await lockListedResources(tx, [...judged]))
}
