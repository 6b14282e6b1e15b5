import { ListingStatus } from '@callboard/contract'
import type { Collectors } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import { Gauge, type Registry } from 'prom-client'
import { countByStatus } from './store/listing.repository.ts'
import type { ListingsDb } from './store/tables.ts'
import { waitingInAll } from './store/waiting.repository.ts'

/** The metrics of listings. */
export interface ListingsMeters {
  readonly listings: Gauge<'status'>
  readonly waiting: Gauge
  readonly oldestWaitingSeconds: Gauge
}

export const listingsMeters = (registry: Registry): ListingsMeters => ({
  listings: new Gauge({
    name: 'callboard_listings',
    help: `Listings that are not withdrawn, by status: ${ListingStatus.options.join(', ')}. All replicas show the same.`,
    labelNames: ['status'],
    registers: [registry],
  }),
  waiting: new Gauge({
    name: 'callboard_listings_reviews_waiting',
    help: 'Listings and mirrored rows that wait for the operator: `npm run operator -- waiting`. All replicas show the same.',
    registers: [registry],
  }),
  oldestWaitingSeconds: new Gauge({
    name: 'callboard_listings_review_oldest_seconds',
    help: 'How long the oldest of those has waited; 0 if there is none. All replicas show the same.',
    registers: [registry],
  }),
})

/** Counts listings whenever `/metrics` is requested. */
export function readListings(
  { listings, waiting, oldestWaitingSeconds }: ListingsMeters,
  collectors: Collectors,
  { db, clock }: { readonly db: ListingsDb; readonly clock: { now(): number } },
): void {
  collectors.add('listings by status', async () => {
    const counts = await countByStatus(db)
    return ListingStatus.options.map((status) => ({
      gauge: listings,
      labels: { status },
      value: counts.get(status) ?? 0,
    }))
  })
  collectors.add('reviews', async () => {
    const { count, oldest } = await waitingInAll(db)
    const age = oldest ? Math.max(0, clock.now() - oldest.getTime()) / SECOND_MS : 0
    return [
      { gauge: waiting, labels: {}, value: count },
      { gauge: oldestWaitingSeconds, labels: {}, value: age },
    ]
  })
}
