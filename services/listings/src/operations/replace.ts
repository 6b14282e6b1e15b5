import type { listings } from '@callboard/contract'
import { isRefusal, refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { publishedOperation, withinBounds } from '../domain/evidence.ts'
import type { Listing } from '../domain/listing.ts'
import { recordOf } from '../domain/views.ts'
import { payeeWarnings, warningsOf } from '../domain/warnings.ts'
import { limitRefused } from '../listing-limits.ts'
import { conformancesOf, onceEach, probeDeclared } from '../probing/probe-declared.ts'
import { repeatRefused } from '../repeats.ts'
import { paidThrough } from '../store/claimant.repository.ts'
import { findOwned, lockBySlug } from '../store/listing.repository.ts'
import { findHeld } from '../store/mirror.repository.ts'
import { totalsOfOne } from '../store/settlement.repository.ts'
import { predictedElsewhere, termsOf } from '../terms.ts'

/**
 * Replaces what a draft sells: its category and operations, probed like those of a new listing. The payee stays, so no
 * wallet signs. A live listing gets here by `suspend` and `revise`, and back by `activate`, which probes again.
 */
export const replace: ListingsHandler<typeof listings.replace> = async ({ slug, category, operations }, ctx) => {
  const seen = await findOwned(ctx.db, slug, ownerOf(ctx.caller))
  if (!seen) {
    const claimed = await findHeld(ctx.db, slug, ownerOf(ctx.caller))
    if (!claimed) return refuse('not_found')
    return refuse('invalid_state', {
      message: 'A claimed listing sells what its endpoint sells, so its operations cannot be replaced.',
    })
  }
  if (seen.status !== 'draft') return notDraft(seen)
  const declared = onceEach(operations)
  if (isRefusal(declared)) return declared
  const { network, splitter, payoutWallet } = seen
  const { chains } = ctx.resources
  const terms = termsOf(
    { network, splitter, otherSplitters: predictedElsewhere(chains, network, payoutWallet) },
    chains,
  )
  const probed = await probeDeclared(ctx, declared, terms)
  if (isRefusal(probed)) return probed
  const change = {
    category,
    operations: withinBounds(probed.map((one) => publishedOperation(one, terms))),
    conformances: conformancesOf(probed),
  }

  const listing = await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (locked?.version !== seen.version) return notDraft(locked ?? seen)
    const next = { ...locked, ...change }
    const refused = (await repeatRefused(tx, next)) ?? (await limitRefused(ctx, tx, next))
    return refused ?? changeListing(ctx, tx, locked, change)
  })
  if (isRefusal(listing)) return listing
  const totals = await totalsOfOne(ctx.db, slug, ctx.clock.now())
  const sharing = await paidThrough(ctx.db, network, splitter.address)
  const warnings = [...payeeWarnings(listing), ...warningsOf(listing, sharing)]
  return { listing: recordOf(listing, totals), warnings }
}

const notDraft = ({ status }: Listing) =>
  refuse('invalid_state', {
    message:
      status === 'draft'
        ? 'The listing changed in the meantime. Read it again.'
        : `The operations of a listing that is ${status} cannot be replaced: ${status === 'live' ? 'suspend it, then revise it' : 'revise it'} first.`,
  })
