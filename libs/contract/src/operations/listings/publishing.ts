import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import {
  endpointUnreachable,
  invalidRequest,
  invalidSignature,
  invalidState,
  listingLimit,
  mirrored,
  nameResemblesVerified,
  notFound,
  noUsableChallenge,
  offerAvoidsSplitter,
  rateLimited,
  slugTaken,
  splitterNotDeployed,
  unavailable,
  unsupportedNetwork,
} from '../../refusals.ts'
import { DiagnosedProbe, Diagnosis } from '../../schemas/diagnosis.ts'
import { ListingRecord, ListingWarning, ListingWithWarnings, PublishedOperation } from '../../schemas/listing.ts'
import { EndpointSample } from '../../schemas/sample.ts'
import { claimedName, shownText } from '../../schemas/shown-text.ts'
import {
  Address,
  Category,
  EndpointUrl,
  HttpMethod,
  ListingStatus,
  Network,
  Slug,
  Timestamp,
  Verification,
  WalletSignature,
} from '../../schemas/words.ts'

const Name = claimedName(80).min(3)
const Description = shownText('paragraphs', 1000).min(1)

export const StatusAction = z.enum(['activate', 'request_verification', 'suspend', 'revise'])
export type StatusAction = z.output<typeof StatusAction>

export const RecheckOutcome = z.enum(['refreshed', 'failed', 'suspended', 'not_live'])
export type RecheckOutcome = z.output<typeof RecheckOutcome>

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
  input: z.strictObject({ url: EndpointUrl, method: HttpMethod.optional(), sample: EndpointSample.optional() }),
  output: DiagnosedProbe,
  errors: [invalidRequest, endpointUnreachable, rateLimited],
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
    signature: WalletSignature,
  }),
  output: ListingWithWarnings,
  errors: [
    invalidRequest,
    invalidSignature,
    invalidState,
    slugTaken,
    listingLimit,
    nameResemblesVerified,
    noUsableChallenge,
    offerAvoidsSplitter,
    unsupportedNetwork,
    rateLimited,
    unavailable,
  ],
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
    limit: 'publish',
    // It probes every endpoint, as publishing does.
    alsoLimit: { field: 'action', is: 'activate', limit: 'probe' },
    ok: 200,
  },
  input: z.strictObject({ slug: Slug, action: StatusAction }),
  output: z.object({
    ok: z.literal(true),
    slug: Slug,
    status: ListingStatus,
    verification: Verification,
    listing: ListingRecord,
    /** For `activate`; empty for other actions. */
    warnings: z.array(ListingWarning),
  }),
  errors: [
    notFound,
    invalidState,
    nameResemblesVerified,
    noUsableChallenge,
    offerAvoidsSplitter,
    splitterNotDeployed,
    unsupportedNetwork,
    rateLimited,
    unavailable,
  ],
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
    limit: 'publish',
    ok: 200,
  },
  input: z
    .strictObject({ slug: Slug, name: Name.optional(), description: Description.optional() })
    .refine((body) => body.name !== undefined || body.description !== undefined, {
      error: 'name or description must be given',
      path: ['name'],
    }),
  output: z.object({ ok: z.literal(true), slug: Slug, name: z.string(), description: z.string() }),
  errors: [notFound, nameResemblesVerified, invalidState],
})

export const replace = operation({
  id: 'listings.replace',
  summary: 'Replace the category and the operations of a draft',
  timeoutMs: 60_000,
  http: {
    method: 'PUT',
    path: '/api/call/listings/:slug',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'probe',
    ok: 200,
  },
  input: z.strictObject({ slug: Slug, category: Category, operations: z.array(PublishedOperation).min(1).max(20) }),
  output: ListingWithWarnings,
  errors: [notFound, invalidRequest, invalidState, listingLimit, noUsableChallenge, offerAvoidsSplitter, rateLimited],
})

export const withdraw = operation({
  id: 'listings.withdraw',
  summary: 'Withdraw a listing for good; what it earned stays in the ledger',
  timeoutMs: 5_000,
  http: {
    method: 'DELETE',
    path: '/api/call/listings/:slug',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 204,
  },
  input: z.strictObject({ slug: Slug }),
  output: z.object({}),
  errors: [notFound, invalidState],
})

export const resync = operation({
  id: 'listings.resync',
  summary: 'Re-probe one live listing',
  timeoutMs: 60_000,
  http: { method: 'POST', path: '/api/call/listings/:slug/resync', auth: 'none', limit: 'recheck', ok: 202 },
  input: z.strictObject({ slug: Slug }),
  output: z.object({
    ok: z.boolean(),
    outcome: RecheckOutcome,
    checkedAt: Timestamp,
    /** Why endpoints cannot be paid: one entry for each that was probed and cannot be. */
    problems: z.array(Diagnosis.extend({ method: HttpMethod, url: z.string() })),
  }),
  errors: [notFound, mirrored, rateLimited],
})

nameSchemas({ StatusAction, RecheckOutcome })
