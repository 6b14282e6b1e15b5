import { acceptsOf, type listings } from '@callboard/contract'
import { chainOf, clientOf, hasSplitters, readSplitterState } from '@callboard/evm'
import { isRefusal, refuse } from '@callboard/values'
import { changeListing } from '../change-listing.ts'
import { actOnHeld } from '../claims/act-on-held.ts'
import { type ListingsCallingContext, type ListingsHandler, ownerInPersonOf, ownerOf } from '../context.ts'
import { unusable } from '../domain/diagnosis.ts'
import { firstMixed, firstNotPayingSplitter, type Probed } from '../domain/evidence.ts'
import type { Listing, Rejection } from '../domain/listing.ts'
import { refreshAll } from '../domain/refresh.ts'
import { didTo } from '../domain/rejection.ts'
import { notApplicable, transition } from '../domain/status.ts'
import { recordOf } from '../domain/views.ts'
import { searchWarnings, warningsOf } from '../domain/warnings.ts'
import { nameRefused } from '../names.ts'
import { probeAll } from '../probing/probe-all.ts'
import { repeatRefused } from '../repeats.ts'
import { splitterChain, splitterNetworks } from '../splitter-factories.ts'
import { paidThrough } from '../store/claimant.repository.ts'
import { findOwned, lockBySlug } from '../store/listing.repository.ts'
import { totalsOfOne } from '../store/settlement.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { termsOf } from '../terms.ts'
import { unlessChainUnavailable } from '../unless-chain-unavailable.ts'

export const setStatus: ListingsHandler<typeof listings.setStatus> = async ({ slug, action }, ctx) => {
  const owner = action === 'suspend' ? ownerInPersonOf(ctx.caller) : ownerOf(ctx.caller)
  const seen = await findOwned(ctx.db, slug, owner)
  if (!seen) return actOnHeld(ctx, { slug, owner, action })
  const next = transition(seen, action)
  if (!next) {
    if (action === 'activate' && seen.status === 'draft' && seen.rejection) return rejectedStill(seen.rejection)
    const message = notApplicable(action, seen, (other) => transition(seen, other) !== null)
    return refuse('invalid_state', { message })
  }
  const evidence = action === 'activate' ? await activationEvidence(ctx, seen) : undefined
  if (isRefusal(evidence)) return evidence

  const listing = await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockBySlug(tx, slug)
    if (locked?.version !== seen.version) return undefined
    const refused = action === 'activate' ? await activationRefused(tx, locked) : undefined
    if (refused) return refused
    const change = { ...next, suspendedReason: null, listedAt: listedAt(locked, next.status, ctx) }
    return changeListing(ctx, tx, locked, { ...evidence, ...change })
  })
  if (isRefusal(listing)) return listing
  if (!listing) return refuse('invalid_state', { message: 'The listing changed in the meantime. Read it again.' })
  const { status, verification } = listing
  const totals = await totalsOfOne(ctx.db, slug, ctx.clock.now())
  const sharing = action === 'activate' ? await paidThrough(ctx.db, listing.network, listing.splitter.address) : []
  return {
    ok: true,
    slug,
    status,
    verification,
    listing: recordOf(listing, totals),
    warnings: action === 'activate' ? [...warningsOf(listing, sharing), ...searchWarnings(listing)] : [],
  }
}

async function activationRefused(tx: ListingsTx, locked: Listing) {
  return (await nameRefused(tx, locked)) ?? (await repeatRefused(tx, locked))
}

const rejectedStill = ({ kind, reason }: Rejection) =>
  refuse('invalid_state', {
    message: `The operator ${didTo({ kind })} this listing${reason ? ` (${reason})` : ''}. Revise it, and ask the operator to review it again. You can activate it after that.`,
  })

/** The evidence that a listing may go live: its deployed splitter, and endpoints that all ask to be paid there. */
async function activationEvidence(ctx: ListingsCallingContext, listing: Listing) {
  const { chains, clients } = ctx.resources
  const { network, payoutWallet, splitter } = listing
  const configured = await splitterChain(ctx, network)
  if (isRefusal(configured)) return configured
  const chain = { ...configured, splitterFactory: splitter.factory }
  const state = await unlessChainUnavailable(ctx, () =>
    readSplitterState(clientOf(clients, network), chain, payoutWallet),
  )
  if (isRefusal(state)) return state
  if (!state.deployed) {
    const message = `There is no fee splitter of ${payoutWallet} at ${splitter.address} yet. Send the deploy transaction.`
    return refuse('splitter_not_deployed', { message })
  }
  const probed = await probeAll(ctx, listing.operations)
  if (isRefusal(probed)) return probed
  const otherSplitters = await deployedElsewhere(ctx, listing, probed)
  if (isRefusal(otherSplitters)) return otherSplitters
  const terms = termsOf({ ...listing, otherSplitters }, chains)
  const { operations, conformances } = refreshAll(listing, probed, terms).listing
  const notPaying = unusable(firstNotPayingSplitter(probed, terms), terms, ctx.config.BASE_URL)
  const refused = notPaying ?? firstMixed(probed, terms)
  return refused ?? { operations, conformances, otherSplitters, splitter: { ...splitter, deployed: true } }
}

/** The payout wallet's splitters on other chains that the offers name, proven by their code there. */
async function deployedElsewhere(ctx: ListingsCallingContext, listing: Listing, probed: readonly Probed[]) {
  const { chains, clients } = ctx.resources
  const { network, payoutWallet } = listing
  const named = new Set(probed.flatMap(({ report }) => (acceptsOf(report) ?? []).map((offer) => offer.network)))
  const { served } = await splitterNetworks(ctx)
  const elsewhere = served
    .map((other) => chainOf(chains, other))
    .filter(hasSplitters)
    .filter((chain) => chain.network !== network)
  const states = await unlessChainUnavailable(ctx, () =>
    Promise.all(
      elsewhere
        .filter((chain) => named.has(chain.network))
        .map((chain) => readSplitterState(clientOf(clients, chain.network), chain, payoutWallet)),
    ),
  )
  if (isRefusal(states)) return states
  return states.flatMap(({ deployed, network, address }) => (deployed ? [{ network, address }] : []))
}

const listedAt = (listing: Listing, status: Listing['status'], { clock }: Pick<ListingsCallingContext, 'clock'>) =>
  listing.listedAt ?? (status === 'live' ? clock.now() : null)
