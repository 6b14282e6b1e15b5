import type { listingRemoved } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { FacilitatorContext } from '../context.ts'
import { noteListing, setPayees } from '../store/payee.repository.ts'
import type { FacilitatorTables } from '../store/tables.ts'

export const onListingRemoved: EventConsumer<typeof listingRemoved, FacilitatorContext, FacilitatorTables> = async (
  { slug, version },
  { tx },
) => {
  if (await noteListing(tx, slug, version)) await setPayees(tx, slug, [])
}
