import type { listings } from '@callboard/contract'
import { chainOf, clientOf, readSplitterState } from '@callboard/evm'
import { isRefusal, refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { firstNotPayingSplitter } from '../domain/evidence.ts'
import type { Listing } from '../domain/listing.ts'
import { refreshAll } from '../domain/refresh.ts'
import { transition } from '../domain/status.ts'
import { recordOf } from '../domain/views.ts'
import { type ListingsContext, type ListingsHandler, ownerOf } from '../kit.ts'
import { probeAll } from '../probe-all.ts'
import { findOwned, lockBySlug } from '../store/listing.repository.ts'
import { takingsOfOne } from '../store/settlement.repository.ts'
import { termsOf } from '../terms.ts'
import { unlessAway } from '../unless-away.ts'

export const setStatus: ListingsHandler<typeof listings.setStatus> = async ({ slug, action }, ctx) => {
  const seen = await findOwned(ctx.db, slug, ownerOf(ctx.caller))
  if (!seen) return refuse('not_found')
  const next = transition(seen, action)
  if (!next) {
    const state = seen.verification === 'none' ? seen.status : `${seen.status} with verification ${seen.verification}`
    return refuse('invalid_state', { message: `A listing that is ${state} does not take ${action}.` })
  }
  const evidence = action === 'activate' ? await activationEvidence(ctx, seen) : undefined
  if (isRefusal(evidence)) return evidence

  const listing = await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (locked?.version !== seen.version) return undefined
    return changeListing(ctx, tx, locked, { ...evidence, ...next, listedAt: listedAt(locked, next.status, ctx) })
  })
  if (!listing) return refuse('invalid_state', { message: 'The listing changed meanwhile; look at it again.' })
  const { status, verification } = listing
  const takings = await takingsOfOne(ctx.db, slug, ctx.clock.now())
  return { ok: true, slug, status, verification, listing: recordOf(listing, takings) }
}

/** What makes a listing fit to be live: its deployed splitter, and endpoints that all ask to be paid there. */
async function activationEvidence(ctx: ListingsContext, listing: Listing) {
  const { chains, clients } = ctx.parts
  const { network, payoutWallet, splitter } = listing
  const chain = { ...chainOf(chains, network), splitterFactory: splitter.factory }
  const state = await unlessAway(ctx, 'payout network', () =>
    readSplitterState(clientOf(clients, network), chain, payoutWallet),
  )
  if (isRefusal(state)) return state
  if (!state.deployed) {
    const message = `There is no fee splitter of ${payoutWallet} at ${splitter.address} yet; send the deploy transaction.`
    return refuse('splitter_not_deployed', { message })
  }
  const terms = termsOf(listing, chains)
  const probed = await probeAll(ctx, listing.operations)
  const { operations, conformances } = refreshAll(listing, probed, terms).listing
  return (
    firstNotPayingSplitter(probed, terms) ?? { operations, conformances, splitter: { ...splitter, deployed: true } }
  )
}

const listedAt = (listing: Listing, status: Listing['status'], { clock }: Pick<ListingsContext, 'clock'>) =>
  listing.listedAt ?? (status === 'live' ? clock.now() : null)
