import { catalog, livenessProber } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { ListingsCallingContext } from '../context.ts'
import { listingVisibility } from '../domain/visibility/listing-visibility.ts'
import type { Standing } from './standing-of.ts'

/** Where a listing stands in each result, and why not in the others: asked of the directory and of the prober's schedule. */
export async function visibilityOf(ctx: ListingsCallingContext, standing: Standing, q: string | undefined) {
  const { slug } = standing.snapshot
  const [places, watched] = await Promise.all([
    ctx.call(catalog.places, { slug, ...(q === undefined ? {} : { q }) }),
    ctx.call(livenessProber.targets, { slug }),
  ])
  if (isRefusal(places)) return places
  if (isRefusal(watched)) return watched
  const { version: indexedVersion } = places
  const { targets: endpoints } = watched
  const facts = { ...standing, indexedVersion, endpoints, reviewDays: ctx.config.REVIEW_DAYS }
  return { visibility: listingVisibility(facts, places), indexedVersion, endpoints }
}
