import type { listings } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { type ListingsHandler, ownerInPersonOf } from '../context.ts'
import { publicStateOf } from '../visibility/public-state.ts'
import { visibilityOf } from '../visibility/visibility-of.ts'

/** Only for its owner: a draft, and why a listing is offline, concern no one else. */
export const visibility: ListingsHandler<typeof listings.visibility> = async ({ slug, q }, ctx) => {
  const state = await publicStateOf(ctx.db, slug)
  if (!state || state.owner !== ownerInPersonOf(ctx.caller)) return refuse('not_found')
  const told = await visibilityOf(ctx, state, q)
  return isRefusal(told) ? told : told.visibility
}
