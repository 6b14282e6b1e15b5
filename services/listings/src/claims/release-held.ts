import { refuse } from '@callboard/values'
import { type ListingsContext, ownerOf } from '../context.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import type { ListingsTx } from '../store/tables.ts'
import { lockHeld } from './held-by.ts'

type Acting = ListingsContext & { readonly caller: Parameters<typeof ownerOf>[0] }

/**
 * Gives a claim back: the row belongs to the mirror again, with the texts of its source. One that the operator rejected
 * cannot be given back, or it would be shown again.
 */
export async function releaseHeld(ctx: Acting, tx: ListingsTx, slug: string) {
  const locked = await lockHeld(tx, slug, ownerOf(ctx.caller))
  if (!locked) return refuse('not_found')
  if (locked.held.rejection) {
    return refuse('invalid_state', {
      message: 'The operator rejected this listing, so its claim cannot be given back.',
    })
  }
  await changeMirrored(ctx, tx, locked, { ...locked, owner: null, ownedSince: null, held: null })
  return {}
}
