import { type listings, noChecks } from '@callboard/contract'
import { clientOf, readSplitterState, SPLITTER_FEE_BP } from '@callboard/evm'
import { isRefusal, refuse } from '@callboard/values'
import { claimSlug } from '../claim-slug.ts'
import { type ListingsHandler, ownerOf } from '../context.ts'
import { publishedOperation, withinBounds } from '../domain/evidence.ts'
import type { Listing } from '../domain/listing.ts'
import { repeatsRejected } from '../domain/rejection.ts'
import { hasSlug } from '../domain/slug.ts'
import { noTotals, recordOf } from '../domain/views.ts'
import { warningsOf } from '../domain/warnings.ts'
import { limitRefused } from '../listing-limits.ts'
import { nameRefused } from '../names.ts'
import { checkPayoutProof, spendNonce } from '../payout-proof.ts'
import { conformancesOf, onceEach, probeDeclared } from '../probe-declared.ts'
import { splitterChain } from '../splitter-factories.ts'
import { insertListing, paidThrough, rejectedOf } from '../store/listing.repository.ts'
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

  const now = ctx.clock.now()
  const draft: Omit<Listing, 'slug'> = {
    ...claimant,
    version: 1,
    description,
    category,
    status: 'draft',
    verification: 'none',
    group: 'added',
    provenance: 'self_listed',
    fee: { bps: SPLITTER_FEE_BP, label: `${SPLITTER_FEE_BP / 100}% network fee` },
    network,
    payoutWallet,
    splitter,
    otherSplitters: [],
    suspendedReason: null,
    rejection: null,
    reviewed: null,
    operations: withinBounds(probed.map((one) => publishedOperation(one, terms))),
    conformances: conformancesOf(probed),
    liveness: noChecks,
    createdAt: now,
    listedAt: null,
    updatedAt: now,
    withdrawnAt: null,
  }
  return ctx.db.transaction().execute(async (tx) => {
    const refused = await nameRefused(tx, draft)
    if (refused) return refused
    const rejected = repeatsRejected(draft, await rejectedOf(tx, draft))
    if (rejected) return rejected
    const slug = await claimSlug(tx, claimant, now)
    if (isRefusal(slug)) return slug
    const listing: Listing = { ...draft, slug }
    const beyond = await limitRefused(ctx, tx, listing)
    if (beyond) return beyond
    if (!(await insertListing(tx, listing))) {
      return refuse('slug_taken', { field: 'name', message: `${slug} was taken meanwhile; publish again.` })
    }
    const warnings = warningsOf(listing, await paidThrough(tx, network, address))
    return { listing: recordOf(listing, noTotals), warnings }
  })
}
