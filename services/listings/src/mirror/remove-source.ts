import type { ListingsContext } from '../context.ts'
import { lockMirror } from '../store/mirror.repository.ts'
import { endAllSightings, noteUnnamed, releaseUnnamed } from '../store/sighting.repository.ts'
import { deleteSource, lockSourceNamed } from '../store/source.repository.ts'
import type { ListingsTx } from '../store/tables.ts'

/** Deletes a source. A resource that only it named is now unnamed, and is removed after the usual time. */
export async function removeSource(ctx: Pick<ListingsContext, 'clock'>, tx: ListingsTx, name: string): Promise<void> {
  // In the order of an import: first its source, then the mirror.
  await lockSourceNamed(tx, name)
  await lockMirror(tx)
  const ended = await endAllSightings(tx, name)
  await deleteSource(tx, name)
  if (ended.length > 0) await noteUnnamed(tx, ended, name, new Date(ctx.clock.now()))
  await releaseUnnamed(tx, name)
}
