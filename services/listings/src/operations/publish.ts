import { type Conformance, type listings, noChecks } from '@callboard/contract'
import { clientOf, hasSplitters, readSplitterState, SPLITTER_FEE_BP } from '@callboard/evm'
import { isRefusal, refuse } from '@callboard/values'
import { firstUnpayable, type Probed, publishedOperation } from '../domain/evidence.ts'
import { type Listing, operationKey } from '../domain/listing.ts'
import { slugOf } from '../domain/slug.ts'
import { noTakings, recordOf } from '../domain/views.ts'
import { type ListingsHandler, ownerOf } from '../kit.ts'
import { checkPayoutProof, spendNonce } from '../payout-proof.ts'
import { probeAll } from '../probe-all.ts'
import { findListing, insertListing } from '../store/listing.repository.ts'
import { termsOf } from '../terms.ts'
import { unlessAway } from '../unless-away.ts'

export const publish: ListingsHandler<typeof listings.publish> = async (input, ctx) => {
  const { name, description, category, network, payoutWallet } = input
  const { chains, clients } = ctx.parts
  const chain = chains.get(network)
  if (!chain || !hasSplitters(chain)) return refuse('unsupported_network', { field: 'network' })
  const slug = slugOf(name)
  if (slug === undefined) return refuse('invalid_request', { field: 'name', message: 'Use letters a-z or digits.' })
  const declared = input.operations.map((operation) => ({ ...operation, url: new URL(operation.url).href }))
  const repeated = firstRepeated(declared.map(operationKey))
  if (repeated !== undefined) {
    return refuse('invalid_request', { field: `operations.${repeated}.url`, message: 'The operation is given twice.' })
  }
  if (await findListing(ctx.db, slug)) return slugTaken(slug)

  const proof = await checkPayoutProof(ctx, input)
  if (isRefusal(proof)) return proof
  const state = await unlessAway(ctx, 'payout network', () =>
    readSplitterState(clientOf(clients, network), chain, payoutWallet),
  )
  if (isRefusal(state)) return state
  const spent = await spendNonce(ctx, proof.nonce)
  if (spent) return spent

  const { address, factory, deployed } = state
  const splitter = { address, factory, deployed }
  const terms = termsOf({ network, splitter }, chains)
  const probed = await probeAll(ctx, declared)
  const unpayable = firstUnpayable(probed, terms)
  if (unpayable) return unpayable

  const now = ctx.clock.now()
  const listing: Listing = {
    slug,
    version: 1,
    owner: ownerOf(ctx.caller),
    name,
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
    operations: probed.map((one) => publishedOperation(one, terms)),
    conformances: conformancesOf(probed),
    liveness: noChecks,
    createdAt: now,
    listedAt: null,
    updatedAt: now,
  }
  const inserted = await ctx.db.transaction().execute((tx) => insertListing(tx, listing))
  return inserted ? { listing: recordOf(listing, noTakings) } : slugTaken(slug)
}

const slugTaken = (slug: string) =>
  refuse('slug_taken', { field: 'name', message: `A listing named ${slug} exists; choose another name.` })

function firstRepeated(keys: readonly string[]): number | undefined {
  const index = keys.findIndex((key, at) => keys.indexOf(key) < at)
  return index === -1 ? undefined : index
}

const conformancesOf = (probed: readonly Probed[]): Record<string, Conformance> =>
  Object.fromEntries(
    probed.flatMap(({ operation, report: { result } }) =>
      result?.kind === 'x402' ? [[operationKey(operation), result.conformance]] : [],
    ),
  )
