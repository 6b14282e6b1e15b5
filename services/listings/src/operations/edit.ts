import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { nameTaken } from '../claim-slug.ts'
import { editHeld } from '../claims/edit-held.ts'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { nameRefused } from '../names.ts'
import { repeatRefused } from '../repeats.ts'
import { lockBySlug } from '../store/listing.repository.ts'

/** The slug never changes: it is the listing's address. */
export const edit: ListingsHandler<typeof listings.edit> = async ({ slug, ...given }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (!locked) return editHeld(ctx, tx, slug, given)
    if (locked.owner !== ownerOf(ctx.caller)) return refuse('not_found')
    const name = given.name ?? locked.name
    const description = given.description ?? locked.description
    if (name !== locked.name) {
      const renamed = { owner: locked.owner, name }
      const refused =
        (await nameRefused(tx, renamed)) ??
        (await nameTaken(tx, renamed, ctx.clock.now())) ??
        (await repeatRefused(tx, { ...locked, name, operations: [] }))
      if (refused) return refused
    }
    if (name !== locked.name || description !== locked.description) {
      await changeListing(ctx, tx, locked, { name, description })
    }
    return { ok: true, slug, name, description }
  })
