import { refuse } from '@callboard/values'
import { nameTaken } from '../claim-slug.ts'
import { type ListingsContext, ownerOf } from '../context.ts'
import { changeMirrored } from '../mirror/change-mirrored.ts'
import { nameRefused } from '../names.ts'
import type { ListingsTx } from '../store/tables.ts'
import { lockHeld } from './held-by.ts'
import { nameRejected } from './name-rejected.ts'

type Acting = ListingsContext & { readonly caller: Parameters<typeof ownerOf>[0] }

/** Changes the name and description of a claimed listing, which only its owner may do. */
export async function editHeld(
  ctx: Acting,
  tx: ListingsTx,
  slug: string,
  given: { readonly name?: string | undefined; readonly description?: string | undefined },
) {
  const locked = await lockHeld(tx, slug, ownerOf(ctx.caller))
  if (!locked) return refuse('not_found')
  const { name = locked.held.name, description = locked.held.description } = given
  if (name !== locked.held.name) {
    const renamed = { owner: locked.owner, name }
    const refused =
      (await nameRefused(tx, renamed)) ??
      (await nameTaken(tx, renamed, ctx.clock.now())) ??
      (await nameRejected(tx, locked, name))
    if (refused) return refused
  }
  await changeMirrored(ctx, tx, locked, { ...locked, held: { ...locked.held, name, description } })
  return { ok: true as const, slug, name, description }
}
