import type { listingChanged } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { ProberContext } from '../context.ts'
import type { ProberTables } from '../store/tables.ts'
import { noteVersion, unwatch, watchEndpoints } from '../store/target.repository.ts'

/** Only live listings are watched. */
export const onListingChanged: EventConsumer<typeof listingChanged, ProberContext, ProberTables> = async (
  { slug, version, status, group, operations },
  { tx, clock },
) => {
  if (!(await noteVersion(tx, slug, version))) return
  if (status === 'live')
    await watchEndpoints(tx, { slug, mirrored: group === 'external' }, operations, new Date(clock.now()))
  else await unwatch(tx, slug)
}
