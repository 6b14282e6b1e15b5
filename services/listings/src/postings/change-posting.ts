import { postingChanged } from '@callboard/contract'
import type { ListingsContext } from '../context.ts'
import { type Posting, snapshotOf } from '../domain/posting/posting.ts'
import { savePosting } from '../store/posting.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** Writes a change of a locked posting under its next version, and publishes it. */
export async function changePosting(
  ctx: Pick<ListingsContext, 'clock' | 'publish'>,
  tx: ListingsTx,
  locked: Posting,
  change: Partial<Posting>,
): Promise<Posting> {
  const changed = { ...locked, ...change, version: locked.version + 1, updatedAt: ctx.clock.now() }
  await savePosting(tx, changed)
  await ctx.publish(tx, postingChanged, snapshotOf(changed))
  return changed
}
