import { eventsOf, listingChanged, listingRemoved } from '@callboard/contract'
import type { ProberBatchConsumer } from '../context.ts'
import { noteVersions, type WatchedEndpoint, watchListings } from '../store/watching.repository.ts'

/** The endpoints to watch of a listing at a version; none for one that is not live, or gone. */
interface Told {
  readonly slug: string
  readonly version: number
  readonly mirrored: boolean
  readonly endpoints: readonly WatchedEndpoint[]
}

/**
 * Keeps the watched endpoints in step with the listings: only live ones are watched. Events are handled in batches,
 * since an import of the mirror publishes thousands; of several versions of a listing the newest counts. One that was
 * suspended in between is still watched anew: once reinstated or approved, it waits for a fresh check.
 */
export const onListings: ProberBatchConsumer = async (events, { tx, clock }) => {
  const told: Told[] = [
    ...eventsOf(listingChanged, events).map(({ data: { slug, version, status, group, operations } }) => ({
      ...{ slug, version, mirrored: group === 'external' },
      endpoints: status === 'live' ? operations : [],
    })),
    ...eventsOf(listingRemoved, events).map(({ data }) => ({ ...data, mirrored: false, endpoints: [] })),
  ]
  const newest = new Map<string, Told>()
  for (const one of told) if ((newest.get(one.slug)?.version ?? -1) < one.version) newest.set(one.slug, one)
  const noted = await noteVersions(tx, [...newest.values()])
  const paused = new Set(told.filter(({ endpoints }) => endpoints.length === 0).map(({ slug }) => slug))
  await watchListings(
    tx,
    [...newest.values()].filter(({ slug }) => noted.has(slug)).map((one) => ({ ...one, anew: paused.has(one.slug) })),
    new Date(clock.now()),
  )
}
