import { listingRemoved, type listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { releaseHeld } from '../claims/release-held.ts'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { creditAnew } from '../credit.ts'
import { keepAsked } from '../store/asked.repository.ts'
import { lockEvenWithdrawn, saveListing } from '../store/listing.repository.ts'

/**
 * Ends a listing: it is not shown, checked or changed any more. Its row stays, since what it earned stays attributed to
 * it, and since its slug never goes to another. Withdrawing it again changes nothing.
 */
export const withdraw: ListingsHandler<typeof listings.withdraw> = async ({ slug }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockEvenWithdrawn(tx, slug)
    if (!locked) return releaseHeld(ctx, tx, slug)
    if (locked.owner !== ownerOf(ctx.caller)) return refuse('not_found')
    if (locked.withdrawnAt !== null) return {}
    const now = ctx.clock.now()
    const status = locked.status === 'live' ? 'suspended' : locked.status
    const version = locked.version + 1
    const ended = { version, status, verification: 'none', reviewed: null, withdrawnAt: now, updatedAt: now } as const
    const listing = { ...locked, ...ended }
    await saveListing(tx, listing)
    if (listing.listedAt === null) return {}
    await keepAsked(tx, listing)
    await ctx.publish(tx, listingRemoved, { slug, version })
    await creditAnew(ctx.resources.chains, tx, listing)
    return {}
  })
