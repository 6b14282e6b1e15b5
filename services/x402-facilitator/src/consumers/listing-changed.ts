import type { listingChanged } from '@callboard/contract'
import type { EventConsumer } from '@callboard/runtime'
import type { FacilitatorContext } from '../context.ts'
import { noteListing, setPayees } from '../store/payee.repository.ts'
import type { FacilitatorTables } from '../store/tables.ts'

/**
 * Payees of a live listing are served first when gas runs low. A row found in another catalogue does not make its payee
 * known: any payee can be in one.
 */
export const onListingChanged: EventConsumer<typeof listingChanged, FacilitatorContext, FacilitatorTables> = async (
  { slug, version, status, provenance, payTo },
  { tx },
) => {
  if (!(await noteListing(tx, slug, version))) return
  await setPayees(tx, slug, status === 'live' && provenance !== 'indexed' ? payTo : [])
}
