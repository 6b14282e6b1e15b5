import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { invalidRequest, notFound, unavailable } from '../../refusals.ts'
import { ListingRecord } from '../../schemas/listing.ts'
import { ListingVisibility } from '../../schemas/visibility.ts'
import { Address, Cursor, Network, queryInt, Slug, Timestamp, Transaction, Usd } from '../../schemas/words.ts'

/**
 * A wallet's fee splitter on one network. `balanceWei` is its USDC balance in base units, not in wei; the specification
 * sets the name. `balanceUsdc` is the same in USDC, as decimal text.
 */
export const NetworkState = z.object({
  network: Network,
  name: z.string(),
  chainId: z.number().int(),
  usdcAddress: Address,
  factoryAddress: Address,
  splitterAddress: Address,
  deployed: z.boolean(),
  balanceWei: z.string(),
  balanceUsdc: Usd,
  deploy: Transaction,
})
export type NetworkState = z.output<typeof NetworkState>

export const mine = operation({
  id: 'listings.mine',
  summary: 'The listings of the credential’s owner, oldest first, page by page',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/mine',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'read',
    ok: 200,
  },
  input: z.strictObject({
    cursor: Cursor,
    limit: queryInt(1, 100).default(50),
  }),
  output: z.object({
    listings: z.array(ListingRecord),
    /** Null on the last page. A page may hold fewer than `limit`, because it must fit into one message. */
    nextCursor: z.string().nullable(),
  }),
  errors: [invalidRequest],
})

export const payoutNonce = operation({
  id: 'listings.payoutNonce',
  summary: 'A short-lived nonce that the payout wallet signs; with `wallet`, the whole message',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/payout-nonce',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'nonce',
    ok: 200,
    changes: true,
  },
  input: z.strictObject({ wallet: Address.optional() }),
  output: z.object({ nonce: z.string(), message: z.string().nullable(), expiresAt: Timestamp }),
  errors: [unavailable],
})

export const splitters = operation({
  id: 'listings.splitters',
  summary: 'The predicted fee splitter of a wallet on every network with self-listing',
  timeoutMs: 10_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/splitters',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 200,
  },
  input: z.strictObject({ wallet: Address }),
  output: z.object({
    feeBp: z.number().int(),
    networkStates: z.array(NetworkState),
    /** Networks listed without an address, because their factory is not the one that was set up. */
    refusedNetworks: z.array(z.object({ network: Network, name: z.string(), reason: z.string() })).optional(),
  }),
  errors: [unavailable],
})

export const visibility = operation({
  id: 'listings.visibility',
  summary: 'The position of a listing in each result of the directory, and why it is missing from the others',
  timeoutMs: 10_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/:slug/visibility',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 200,
    stability: 'internal',
  },
  input: z.strictObject({ slug: Slug, q: z.string().max(200, 'must be at most 200 characters').optional() }),
  output: ListingVisibility,
  errors: [notFound],
})

nameSchemas({ NetworkState })
