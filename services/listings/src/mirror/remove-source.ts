import type { ListingsContext } from '../context.ts'
import { lockMirror } from '../store/mirror.repository.ts'
import { endAllSightings, noteUnnamed } from '../store/sighting.repository.ts'
import { deleteSource, lockSourceNamed } from '../store/source.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** Forgets a source. What it alone named is named by none from now on, and leaves in its time. */
export async function removeSource(ctx: Pick<ListingsContext, 'clock'>, tx: ListingsTx, name: string): Promise<void> {
  // As an import does: first its source, then the mirror.
  await lockSourceNamed(tx, name)
  await lockMirror(tx)
  const ended = await endAllSightings(tx, name)
  await deleteSource(tx, name)
  if (ended.length > 0) await noteUnnamed(tx, ended, name, new Date(ctx.clock.now()))
}
