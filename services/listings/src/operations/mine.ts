import type { listings } from '@callboard/contract'
import { noTakings, recordOf } from '../domain/views.ts'
import { type ListingsHandler, ownerOf } from '../kit.ts'
import { ownedBy } from '../store/listing.repository.ts'
import { takingsOf } from '../store/settlement.repository.ts'

export const mine: ListingsHandler<typeof listings.mine> = async (_input, ctx) => {
  const owned = await ownedBy(ctx.db, ownerOf(ctx.caller))
  const slugs = owned.map(({ slug }) => slug)
  const takings = await takingsOf(ctx.db, slugs, ctx.clock.now())
  return { listings: owned.map((listing) => recordOf(listing, takings.get(listing.slug) ?? noTakings)) }
}
