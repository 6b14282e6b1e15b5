import { catalog, livenessProber } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import type { ListingsCallingContext } from '../context.ts'
import { listingVisibility } from '../domain/visibility/listing-visibility.ts'
import type { PublicState } from './public-state.ts'

/** A listing's place in each result, or why it has none, from the directory and the prober's schedule. */
export async function visibilityOf(ctx: ListingsCallingContext, state: PublicState, q: string | undefined) {
  const { slug } = state.snapshot
  const [places, watched] = await Promise.all([
    ctx.call(catalog.places, { slug, ...(q === undefined ? {} : { q }) }),
    ctx.call(livenessProber.targets, { slug }),
  ])
  if (isRefusal(places)) return places
  if (isRefusal(watched)) return watched
  const { version: indexedVersion } = places
  const { targets: endpoints } = watched
  const facts = { ...state, indexedVersion, endpoints, reviewDays: ctx.config.REVIEW_DAYS }
  return { visibility: listingVisibility(facts, places), indexedVersion, endpoints }
}
