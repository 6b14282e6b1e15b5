import { eventsOf, listingChanged, listingRemoved } from '@callboard/contract'
import type { ProberBatchConsumer } from '../context.ts'
import { noteVersions, type WatchedEndpoint, watchListings } from '../store/watching.repository.ts'

/** What is to be watched of a listing under a version of it; nothing of one that is not live, or gone. */
interface Told {
  readonly slug: string
  readonly version: number
  readonly mirrored: boolean
  readonly endpoints: readonly WatchedEndpoint[]
}

/**
 * Listings as they are now: only live ones are watched. They are taken together, since an import of the mirror tells of
 * thousands; of several versions of one the newest counts. One that was suspended in between is watched anew all the same:
 * what is taken back, or approved, waits for a fresh check.
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
