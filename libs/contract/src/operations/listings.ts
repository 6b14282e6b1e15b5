import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { operation } from '../operation.ts'
import {
  alreadyOwned,
  endpointUnreachable,
  invalidRequest,
  invalidSignature,
  invalidState,
  listingLimit,
  mirrored,
  nameResemblesVerified,
  noListings,
  notFound,
  notPayee,
  noUsableChallenge,
  offerAvoidsSplitter,
  slugTaken,
  splitterNotDeployed,
  unavailable,
  unsupportedNetwork,
} from '../refusals.ts'
import { ChecklistAnswer, OperatorName, VerdictReason } from '../schemas/checklist.ts'
import { DiagnosedProbe, Diagnosis } from '../schemas/diagnosis.ts'
import { ListingRecord, ListingWarning, ListingWithWarnings, PublishedOperation } from '../schemas/listing.ts'
import { EndpointSample } from '../schemas/sample.ts'
import { shownText } from '../schemas/shown-text.ts'
import { ListingVisibility } from '../schemas/visibility.ts'
import {
  Address,
  Category,
  EndpointUrl,
  Group,
  HttpMethod,
  ListingStatus,
  Network,
  queryInt,
  Slug,
  Timestamp,
  Transaction,
  Usd,
  Verification,
  WalletSignature,
} from '../schemas/words.ts'
import { WatchedTarget } from './liveness-prober.ts'

export * from './postings.ts'

const Name = shownText('line').min(3).max(80)
const Description = shownText('paragraphs').min(1).max(1000)

export const StatusAction = z.enum(['activate', 'request_verification', 'suspend', 'revise'])
export type StatusAction = z.output<typeof StatusAction>

export const RecheckOutcome = z.enum(['refreshed', 'failed', 'suspended', 'not_live'])
export type RecheckOutcome = z.output<typeof RecheckOutcome>

/**
 * The fee splitter of a wallet on one network. `balanceWei` is its USDC balance in base units, which have nothing to do with
 * wei but for the specification's name; `balanceUsdc` is the same in USDC, as decimal text.
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
    cursor: z.string().min(1).max(512).optional(),
    limit: queryInt(1, 100).default(50),
  }),
  output: z.object({
    listings: z.array(ListingRecord),
    /** Null on the last page. A page may hold fewer than `limit`: it ends before its bytes go beyond one message. */
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

/** Scheme, host and port of a seller's server, and nothing else: `https://api.example`. */
const BareOrigin = z
  .string()
  .max(300)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
  }, 'must be a bare origin such as https://api.example: no path, no query, no slash at its end')

export const claimNonce = operation({
  id: 'listings.claimNonce',
  summary: 'The message that a payee signs to claim the mirrored listings of an origin',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/listings/claim-nonce',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'nonce',
    ok: 200,
    changes: true,
  },
  input: z.strictObject({ origin: BareOrigin, wallet: Address }),
  output: z.object({ message: z.string() }),
  errors: [invalidRequest, unavailable],
})

export const claim = operation({
  id: 'listings.claim',
  summary: 'Take every unowned mirrored listing of an origin that pays the wallet which signed',
  timeoutMs: 20_000,
  http: {
    method: 'POST',
    path: '/api/call/listings/claim',
    auth: 'bearer',
    scope: 'call.publish',
    limit: 'manage',
    ok: 200,
  },
  input: z.strictObject({
    origin: BareOrigin,
    /** As `claim-nonce` gave it, letter for letter. */
    message: z.string().min(1).max(2048),
    signature: WalletSignature,
  }),
  output: z.object({ claimed: z.array(Slug) }),
  errors: [invalidRequest, invalidSignature, notPayee, noListings, alreadyOwned, unavailable],
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
    /** Networks of which no address is given, because their factory is not the one that was set up. */
    refusedNetworks: z.array(z.object({ network: Network, name: z.string(), reason: z.string() })).optional(),
  }),
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
  input: z.strictObject({ url: EndpointUrl, method: HttpMethod.optional(), sample: EndpointSample.optional() }),
  output: DiagnosedProbe,
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
    /** Of `activate`; empty for the other actions. */
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
  errors: [notFound, invalidRequest, invalidState, listingLimit, noUsableChallenge, offerAvoidsSplitter],
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
    /** What keeps an endpoint from being paid: one for each that was probed and cannot be. */
    problems: z.array(Diagnosis.extend({ method: HttpMethod, url: z.string() })),
  }),
  errors: [notFound, mirrored],
})

export const visibility = operation({
  id: 'listings.visibility',
  summary: 'Where a listing stands in each result of the directory, and why not in the others',
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

/** The operator's look at a listing, and verdict on it; reached only by the operator command, never over HTTP. */
export const review = operation({
  id: 'listings.review',
  summary:
    'Look at what a review judges, grant verification to a live listing, reject or suspend it, or take that back',
  timeoutMs: 5_000,
  input: z.object({
    slug: Slug,
    /** `reopen` takes a rejection or a suspension back: its owner may activate the listing again. */
    verdict: z.enum(['look', 'verify', 'reject', 'suspend', 'reopen']),
    /** Demanded by `reject` and `suspend`: what its owner reads. */
    reason: VerdictReason.optional(),
    /** The `seen` of an earlier look: the verdict is on that, or refused with `invalid_state`. */
    seen: z.string().max(100).optional(),
    /** Of `verify`: the items of the checklist that the operator answers for. All that the system does not affirm are demanded. */
    checked: z.array(z.string().max(40)).max(40).optional(),
    /** Kept with the verdict, and shown to nobody else. */
    note: shownText('paragraphs').max(1000).optional(),
    /** Who gives the verdict, by their own word. */
    by: OperatorName.optional(),
  }),
  output: z.object({
    slug: Slug,
    status: ListingStatus,
    verification: Verification,
    /** What a review judges, as it is now. */
    facts: z.object({
      name: z.string(),
      description: z.string(),
      payoutWallet: Address,
      payTo: Address,
      operations: z.array(
        z.object({ method: HttpMethod, url: z.string(), name: z.string(), description: z.string().optional() }),
      ),
    }),
    /** Names these facts: other facts have another. */
    seen: z.string(),
    checklistVersion: z.number().int(),
    /** As the system answers it. */
    checklist: z.array(ChecklistAnswer),
  }),
  errors: [notFound, invalidState, invalidRequest, nameResemblesVerified],
})

/** How a listing or mirrored row stands, for the operator; reached only by the operator command, never over HTTP. */
export const why = operation({
  id: 'listings.why',
  summary: 'Where a listing stands in each result and why not, with its probes, its payee and the verdict against it',
  timeoutMs: 10_000,
  input: z.object({ slug: Slug, q: z.string().max(200, 'must be at most 200 characters').optional() }),
  output: ListingVisibility.extend({
    group: Group,
    /** Null for a mirrored row that nobody claimed. */
    owner: Address.nullable(),
    /** Of its newest snapshot; and the one that the directory has, null for none. */
    version: z.number().int(),
    indexedVersion: z.number().int().nullable(),
    takenDownFor: z.string().nullable(),
    /** The operator's verdict that stands against it. */
    verdict: z
      .object({ kind: z.enum(['rejected', 'suspended']), at: Timestamp, reason: z.string().nullable() })
      .nullable(),
    payTo: z.array(z.object({ network: Network, address: Address })),
    /** Whether its splitter's code was seen on chain; null for what is paid directly. */
    splitterDeployed: z.boolean().nullable(),
    endpoints: z.array(
      z.object({
        method: HttpMethod,
        url: z.string(),
        price: Usd.nullable(),
        pays: Address.nullable(),
        /** When the offer was read that is shown. */
        readAt: Timestamp.nullable(),
        problem: z.string().nullable(),
        /** As the prober's schedule has it; null while it is not watched. */
        probe: WatchedTarget.nullable(),
      }),
    ),
  }),
  errors: [notFound],
})

/** What a source of the mirror publishes. */
export const SourceKind = z.enum(['facilitator', 'openapi', 'well-known', 'api-catalog'])
export type SourceKind = z.output<typeof SourceKind>

/** A source as it is configured, in the file of sources or by the operator's command. */
export const MirrorSource = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
    .max(40),
  kind: SourceKind,
  url: EndpointUrl,
  /** What a facilitator is asked for. */
  filters: z
    .partialRecord(z.enum(['type', 'network', 'scheme', 'asset', 'payTo', 'extensions']), z.string().min(1).max(128))
    .default({}),
  /** From the end of one import to the beginning of the next. */
  intervalHours: z.number().min(0.1).max(720).default(6),
})
export type MirrorSource = z.output<typeof MirrorSource>

/** The sources of the mirror; reached only by the operator command, never over HTTP. */
export const sources = operation({
  id: 'listings.sources',
  summary: 'Add, remove or import a source of the mirror, and say how all of them stand',
  timeoutMs: 10_000,
  input: z.discriminatedUnion('action', [
    z.object({ action: z.literal('list') }),
    z.object({ action: z.literal('add'), source: MirrorSource, by: OperatorName.optional() }),
    z.object({ action: z.enum(['remove', 'run']), name: z.string(), by: OperatorName.optional() }),
  ]),
  output: z.object({
    sources: z.array(
      MirrorSource.extend({
        configuredBy: z.enum(['file', 'operator']),
        /** Resources that it names. */
        resources: z.number().int(),
        dueAt: Timestamp,
        lastGoodAt: Timestamp.nullable(),
        /** Imports in a row that failed, and why the last one did. */
        failures: z.number().int(),
        problem: z.string().nullable(),
        /** Entries that the last import did not take in, by why. */
        notTaken: z.record(z.string(), z.number().int()),
      }),
    ),
  }),
  errors: [notFound, invalidState],
})

/** What a mirrored row asks that is not payable yet; reached only by the operator command, never over HTTP. */
export const reviewMirrored = operation({
  id: 'listings.reviewMirrored',
  summary: 'Look at a mirrored row and at why it is suspended, approve what it asks now, suspend it, or take that back',
  timeoutMs: 5_000,
  input: z.object({
    slug: Slug,
    verdict: z.enum(['look', 'approve', 'suspend', 'reopen']),
    /** The `seen` of an earlier look: what was looked at is approved, or nothing. */
    seen: z.string().max(100).optional(),
    /** Demanded by `suspend`: what an owner of the row reads. */
    reason: VerdictReason.optional(),
    /** Who gives the verdict, by their own word. */
    by: OperatorName.optional(),
  }),
  output: z.object({
    slug: Slug,
    state: z.enum(['unprobed', 'payable', 'unpayable', 'stale', 'suspended']),
    reason: z.string().nullable(),
    method: HttpMethod,
    url: z.string(),
    title: z.string(),
    /** By name. */
    sources: z.array(z.string()),
    /** Ways to pay in words: those that are approved, and those of the last probe. */
    approved: z.array(z.string()),
    asked: z.array(z.string()),
    checkedAt: Timestamp.nullable(),
    /** Names what the last probe read: another reading has another. */
    seen: z.string(),
  }),
  errors: [notFound, invalidState, invalidRequest],
})

nameSchemas({ StatusAction, RecheckOutcome, NetworkState })
