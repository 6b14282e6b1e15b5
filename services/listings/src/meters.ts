import { ListingStatus } from '@callboard/contract'
import type { Collectors } from '@callboard/runtime'
import { Gauge, type Registry } from 'prom-client'
import { countByStatus } from './store/listing.repository.ts'
import type { ListingsDb } from './store/tables.ts'

/** The metrics of listings. */
export interface ListingsMeters {
  readonly listings: Gauge<'status'>
}

export const listingsMeters = (registry: Registry): ListingsMeters => ({
  listings: new Gauge({
    name: 'callboard_listings',
    help: `Listings that are not withdrawn, by status: ${ListingStatus.options.join(', ')}. All replicas show the same.`,
    labelNames: ['status'],
    registers: [registry],
  }),
})

/** Counts listings whenever `/metrics` is requested. */
export function readListings({ listings }: ListingsMeters, collectors: Collectors, db: ListingsDb): void {
  collectors.add('listings by status', async () => {
    const counts = await countByStatus(db)
    return ListingStatus.options.map((status) => ({
      gauge: listings,
      labels: { status },
      value: counts.get(status) ?? 0,
    }))
  })
}
