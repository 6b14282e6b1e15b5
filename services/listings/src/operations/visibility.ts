import type { listings } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { standingOf } from '../standing/standing-of.ts'
import { visibilityOf } from '../standing/visibility-of.ts'

/** Its owner alone is told: a draft, and why a listing is offline, are nobody else's business. */
export const visibility: ListingsHandler<typeof listings.visibility> = async ({ slug, q }, ctx) => {
  const standing = await standingOf(ctx.db, slug)
  if (!standing || standing.owner !== ownerOf(ctx.caller)) return refuse('not_found')
  const told = await visibilityOf(ctx, standing, q)
  return isRefusal(told) ? told : told.visibility
}
