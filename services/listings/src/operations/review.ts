import type { listings } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { transition } from '../domain/status.ts'
import type { ListingsHandler } from '../kit.ts'
import { lockBySlug } from '../store/listing.repository.ts'

/** Not bound to HTTP: only the operator's command reaches it. */
export const review: ListingsHandler<typeof listings.review> = async ({ slug, verdict }, ctx) =>
  ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (!locked) return refuse('not_found')
    const next = transition(locked, verdict)
    if (!next) {
      return refuse('invalid_state', {
        message: `${verdict} does not apply: ${locked.status}, ${locked.verification}.`,
      })
    }
    const { status, verification } = await changeListing(ctx, tx, locked, next)
    return { slug, status, verification }
  })
