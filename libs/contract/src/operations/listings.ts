import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  endpointUnreachable,
  invalidRequest,
  invalidSignature,
  invalidState,
  mirrored,
  notFound,
  noUsableChallenge,
  slugTaken,
  splitterNotDeployed,
  unavailable,
  unsupportedNetwork,
} from '../refusals.ts'
import { ListingRecord, PublishedOperation, ShownText } from '../schemas/listing.ts'
import { ProbeResult } from '../schemas/probe.ts'
import {
  Address,
  Category,
  EndpointUrl,
  HttpMethod,
  ListingStatus,
  Network,
  Slug,
  Timestamp,
  Transaction,
  Verification,
} from '../schemas/words.ts'

const Name = ShownText.min(3).max(80)
const Description = ShownText.min(1).max(1000)

export const StatusAction = z.enum(['activate', 'request_verification', 'suspend', 'revise'])
export type StatusAction = z.output<typeof StatusAction>

export const RecheckOutcome = z.enum(['refreshed', 'failed', 'suspended', 'not_live'])
export type RecheckOutcome = z.output<typeof RecheckOutcome>

/** The fee splitter of a wallet on one network. `balanceWei` is its USDC balance in base units, as decimal text. */
export const NetworkState = z.object({
  network: Network,
  name: z.string(),
  chainId: z.number().int(),
  usdcAddress: Address,
  factoryAddress: Address,
  splitterAddress: Address,
  deployed: z.boolean(),
  balanceWei: z.string(),
  deploy: Transaction,
})
export type NetworkState = z.output<typeof NetworkState>

export const mine = operation({
  id: 'listings.mine',
  summary: 'The listings of the credential’s owner',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/mine',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'read',
    ok: 200,
  },
  input: z.strictObject({}),
  output: z.object({ listings: z.array(ListingRecord) }),
  errors: [],
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
  output: z.object({ feeBp: z.number().int(), networkStates: z.array(NetworkState) }),
  errors: [unavailable],
})

export const probe = operation({
  id: 'listings.probe',
  summary: 'Read the x402 challenge of a candidate endpoint',
  timeoutMs: 25_000,
  http: {
    method: 'POST',
    path: '/api/call/listings/probe',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'probe',
    ok: 200,
  },
  input: z.strictObject({ url: EndpointUrl, method: HttpMethod.optional() }),
  output: ProbeResult,
  errors: [invalidRequest, endpointUnreachable],
})

export const publish = operation({
  id: 'listings.publish',
  summary: 'Create a draft listing, proven by the payout wallet',
  timeoutMs: 60_000,
  http: { method: 'POST', path: '/api/call/listings', auth: 'bearer', scope: 'call.publish', limit: 'probe', ok: 201 },
  input: z.strictObject({
    name: Name,
    description: Description,
    category: Category,
    operations: z.array(PublishedOperation).min(1).max(20),
    payoutWallet: Address,
    network: Network,
    message: z.string().min(1).max(2048),
    signature: z
      .string()
      .regex(/^0x([0-9a-fA-F]{2})+$/, 'must be 0x and hex')
      .max(16_384),
  }),
  output: z.object({ listing: ListingRecord }),
  errors: [invalidRequest, invalidSignature, slugTaken, noUsableChallenge, unsupportedNetwork, unavailable],
})

export const setStatus = operation({
  id: 'listings.setStatus',
  summary: 'Activate, request verification, suspend or revise a listing',
  timeoutMs: 60_000,
  http: {
    method: 'POST',
    path: '/api/call/listings/:slug/status',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 200,
  },
  input: z.strictObject({ slug: Slug, action: StatusAction }),
  output: z.object({
    ok: z.literal(true),
    slug: Slug,
    status: ListingStatus,
    verification: Verification,
    listing: ListingRecord,
  }),
  errors: [notFound, invalidState, noUsableChallenge, splitterNotDeployed, unavailable],
})

export const edit = operation({
  id: 'listings.edit',
  summary: 'Change a listing’s name and description',
  timeoutMs: 5_000,
  http: {
    method: 'PATCH',
    path: '/api/call/listings/:slug',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 200,
  },
  input: z
    .strictObject({ slug: Slug, name: Name.optional(), description: Description.optional() })
    .refine((body) => body.name !== undefined || body.description !== undefined, {
      error: 'name or description must be given',
      path: ['name'],
    }),
  output: z.object({ ok: z.literal(true), slug: Slug, name: z.string(), description: z.string() }),
  errors: [notFound],
})

export const resync = operation({
  id: 'listings.resync',
  summary: 'Re-probe one live listing',
  timeoutMs: 60_000,
  http: { method: 'POST', path: '/api/call/listings/:slug/resync', auth: 'none', limit: 'recheck', ok: 202 },
  input: z.strictObject({ slug: Slug }),
  output: z.object({ ok: z.boolean(), outcome: RecheckOutcome, checkedAt: Timestamp }),
  errors: [notFound, mirrored],
})

/** The operator's verdict on a listing; reached only by the operator command, never over HTTP. */
export const review = operation({
  id: 'listings.review',
  summary: 'Grant verification to a live listing, or reject a listing',
  timeoutMs: 5_000,
  input: z.object({ slug: Slug, verdict: z.enum(['verify', 'reject']) }),
  output: z.object({ slug: Slug, status: ListingStatus, verification: Verification }),
  errors: [notFound, invalidState],
})
