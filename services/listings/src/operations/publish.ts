import type { listings } from '@callboard/contract'
import { clientOf, readSplitterState } from '@callboard/evm'
import { isRefusal, refuse } from '@callboard/values'
import { claimSlug } from '../claim-slug.ts'
import { type ListingsContext, type ListingsHandler, ownerOf } from '../context.ts'
import { type Draft, newDraft } from '../domain/draft.ts'
import { publishedOperation, withinBounds } from '../domain/evidence.ts'
import type { Listing } from '../domain/listing.ts'
import { repeatsRejected } from '../domain/rejection.ts'
import { hasSlug } from '../domain/slug.ts'
import { noTotals, recordOf } from '../domain/views.ts'
import { payeeWarnings, warningsOf } from '../domain/warnings.ts'
import { limitRefused } from '../listing-limits.ts'
import { nameRefused } from '../names.ts'
import { checkPayoutProof, spendNonce } from '../payout-proof.ts'
import { conformancesOf, onceEach, probeDeclared } from '../probing/probe-declared.ts'
import { splitterChain } from '../splitter-factories.ts'
import { paidThrough } from '../store/claimant.repository.ts'
import { insertListing, rejectedOf } from '../store/listing.repository.ts'
import type { ListingsTx } from '../store/tables.ts'
import { predictedElsewhere, termsOf } from '../terms.ts'
import { unlessChainUnavailable } from '../unless-chain-unavailable.ts'

export const publish: ListingsHandler<typeof listings.publish> = async (input, ctx) => {
  const { name, description, category, network, payoutWallet } = input
  const { chains, clients } = ctx.resources
  const chain = await splitterChain(ctx, network)
  if (isRefusal(chain)) return chain
  const claimant = { owner: ownerOf(ctx.caller), name }
  if (!hasSlug(name)) return refuse('invalid_request', { field: 'name', message: 'Use letters or digits.' })
  const declared = onceEach(input.operations)
  if (isRefusal(declared)) return declared
  const hopeless = await ctx.db
    .transaction()
    .execute(async (tx) => (await nameRefused(tx, claimant)) ?? claimSlug(tx, claimant, ctx.clock.now()))
  if (isRefusal(hopeless)) return hopeless

  const proof = await checkPayoutProof(ctx, input)
  if (isRefusal(proof)) return proof
  const state = await unlessChainUnavailable(ctx, () =>
    readSplitterState(clientOf(clients, network), chain, payoutWallet),
  )
  if (isRefusal(state)) return state
  const spent = await spendNonce(ctx, proof.nonce)
  if (spent) return spent

  const { address, factory, deployed } = state
  const splitter = { address, factory, deployed }
  const otherSplitters = predictedElsewhere(chains, network, payoutWallet)
  const terms = termsOf({ network, splitter, otherSplitters }, chains)
  const probed = await probeDeclared(ctx, declared, terms)
  if (isRefusal(probed)) return probed

  const operations = withinBounds(probed.map((one) => publishedOperation(one, terms)))
  const told = { ...claimant, description, category, network, payoutWallet }
  const draft = newDraft({ ...told, splitter, operations, conformances: conformancesOf(probed) }, ctx.clock.now())
  return ctx.db.transaction().execute((tx) => keep(ctx, tx, draft))
}

/** Stores a draft under its own slug; earlier checks are repeated, since others publish at the same time. */
async function keep(ctx: ListingsContext, tx: ListingsTx, draft: Draft) {
  const refused = await nameRefused(tx, draft)
  if (refused) return refused
  const rejected = repeatsRejected(draft, await rejectedOf(tx, draft))
  if (rejected) return rejected
  const slug = await claimSlug(tx, draft, draft.createdAt)
  if (isRefusal(slug)) return slug
  const listing: Listing = { ...draft, slug }
  const beyond = await limitRefused(ctx, tx, listing)
  if (beyond) return beyond
  if (!(await insertListing(tx, listing))) {
    return refuse('slug_taken', { field: 'name', message: `${slug} was taken in the meantime. Publish again.` })
  }
  const { network, splitter } = listing
  const sharing = await paidThrough(tx, network, splitter.address)
  const warnings = [...payeeWarnings(listing), ...warningsOf(listing, sharing)]
  return { listing: recordOf(listing, noTotals), warnings }
}
