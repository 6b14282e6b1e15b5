import type { listingRemoved } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { ProberContext } from '../context.ts'
import type { ProberTables } from '../store/tables.ts'
import { noteVersion, unwatch } from '../store/target.repository.ts'

export const onListingRemoved: EventConsumer<typeof listingRemoved, ProberContext, ProberTables> = async (
  { slug, version },
  { tx },
) => {
  if (await noteVersion(tx, slug, version)) await unwatch(tx, slug)
}
