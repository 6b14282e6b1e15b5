import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { operation } from '../operation.ts'
import { invalidRequest, notFound, rateLimited } from '../refusals.ts'
import { ActivityPage, AddressActivity, Stats, WalletUsage } from '../schemas/activity.ts'
import { BurnPage } from '../schemas/burn.ts'
import { CatalogueEntry } from '../schemas/catalogue-entry.ts'
import { DiscoveryPage, ItemKind } from '../schemas/discovery.ts'
import { WalletIdentity } from '../schemas/identity.ts'
import { Posting, PostingId } from '../schemas/posting.ts'
import { Service } from '../schemas/service.ts'
import { shownText } from '../schemas/shown-text.ts'
import { ShownIn } from '../schemas/visibility.ts'
import {
  Address,
  Category,
  Network,
  queryBoolean,
  queryInt,
  queryShare,
  Range,
  repeated,
  Slug,
  Timestamp,
  Usd,
} from '../schemas/words.ts'

const CACHE_DIRECTORY = 'public, max-age=15, stale-while-revalidate=60'
/** As the specification has it: five minutes. */
const CACHE_FEED = 'public, max-age=300'
const Query = z.string().max(200, 'must be at most 200 characters').optional()
/** At most so much, in USD; as exact as it is written. */
const MaxPrice = Usd.max(40, 'must be at most 40 characters')
const CursorText = z.string().min(1).max(512).optional()

export const discovery = operation({
  id: 'catalog.discovery',
  summary: 'Search and page through everything that can be called',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/discovery',
    aliases: ['/api/marketplace/discovery'],
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_DIRECTORY,
    linksCatalog: true,
  },
  input: z.strictObject({
    q: Query,
    kinds: repeated(ItemKind),
    network: Network.optional(),
    cursor: CursorText,
    limit: queryInt(1, 50).default(20),
    includeUnverified: queryBoolean.default(false),
    category: Category.optional(),
    maxPrice: MaxPrice.optional(),
    payTo: Address.optional(),
    asset: Address.optional(),
    minUptime: queryShare.optional(),
    facets: queryBoolean.default(false),
  }),
  output: DiscoveryPage,
  errors: [invalidRequest],
})

export const posting = operation({
  id: 'catalog.posting',
  summary: 'One open posting: an offer of work, or a request for something to buy',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/postings/:id', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({ id: PostingId }),
  output: Posting,
  errors: [notFound],
})

export const services = operation({
  id: 'catalog.services',
  summary: 'Listings in the frozen services shape',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/services',
    aliases: ['/api/network/services'],
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_DIRECTORY,
  },
  input: z.strictObject({
    q: Query,
    category: Category.optional(),
    limit: queryInt(1, 100).default(20),
    includeUnverified: queryBoolean.default(false),
  }),
  output: z.object({ services: z.array(Service) }),
  errors: [],
})

export const search = operation({
  id: 'catalog.search',
  summary: 'Search the published catalogue',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/calls/search', auth: 'none', limit: 'read', ok: 200, cache: CACHE_DIRECTORY },
  input: z.strictObject({ q: Query, limit: queryInt(1, 100).default(20) }),
  output: z.object({ calls: z.array(Service) }),
  errors: [],
})

export const list = operation({
  id: 'catalog.list',
  summary: 'The published catalogue, first thousand rows in its order',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/calls/list', auth: 'none', limit: 'read', ok: 200, cache: CACHE_DIRECTORY },
  input: z.strictObject({}),
  output: z.object({ calls: z.array(Service) }),
  errors: [],
})

export const entry = operation({
  id: 'catalog.entry',
  summary: 'One catalogue entry with what is needed to build a call',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/calls/:serviceId', auth: 'none', limit: 'read', ok: 200, cache: CACHE_DIRECTORY },
  input: z.strictObject({ serviceId: z.string().min(1).max(128) }),
  output: CatalogueEntry,
  errors: [notFound],
})

/** Reached by `listings` alone, which knows the owner. */
export const places = operation({
  id: 'catalog.places',
  summary: 'Where a listing stands in each result of the directory',
  timeoutMs: 5_000,
  input: z.object({ slug: Slug, q: Query }),
  output: z.object({
    /** Of the newest snapshot that has come; null where none has. */
    version: z.number().int().positive().nullable(),
    /** Without a query. */
    browsed: z.array(ShownIn),
    /** With the query; null where none was asked. */
    found: z.array(ShownIn).nullable(),
  }),
  errors: [],
})

export const stats = operation({
  id: 'catalog.stats',
  summary: 'Settlements observed on chain, summed over a range',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/stats',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=30',
    stability: 'beta',
  },
  input: z.strictObject({ range: Range.default('30d') }),
  output: Stats,
  errors: [],
})

export const activity = operation({
  id: 'catalog.activity',
  summary: 'Settlements observed on chain, newest first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/activity', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({
    range: Range.default('30d'),
    cursor: CursorText,
    limit: queryInt(1, 100).default(50),
    listing: z.string().min(1).max(128).optional(),
    address: Address.optional(),
  }),
  output: ActivityPage,
  errors: [invalidRequest],
})

export const addressActivity = operation({
  id: 'catalog.addressActivity',
  summary: 'What an address paid and received',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/call/activity/:address', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({ address: Address, range: Range.default('30d'), cursor: CursorText }),
  output: AddressActivity,
  errors: [invalidRequest],
})

export const burns = operation({
  id: 'catalog.burns',
  summary: 'Tokens that were bought back and burned, newest first',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/router/burns', auth: 'none', limit: 'read', ok: 200, stability: 'beta' },
  input: z.strictObject({ cursor: CursorText, limit: queryInt(1, 100).default(50) }),
  output: BurnPage,
  errors: [invalidRequest],
})

export const walletUsage = operation({
  id: 'catalog.walletUsage',
  summary: 'What a wallet called and spent',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/wallet/usage',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
    stability: 'beta',
  },
  input: z.strictObject({ wallet: Address }),
  output: WalletUsage,
  errors: [],
})

/** A wallet without an agent has empty lists, as a wallet that paid nobody has zeros. */
export const identity = operation({
  id: 'catalog.identity',
  summary: 'ERC-8004 agents of a wallet, and who says what of them',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/call/identity/:wallet',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=15',
    stability: 'beta',
  },
  input: z.strictObject({ wallet: Address, cursor: CursorText, limit: queryInt(1, 20).default(10) }),
  output: WalletIdentity,
  errors: [invalidRequest],
})

const CACHE_SUPPLY = 'public, max-age=60'
/** A decimal number as text without quotes. */
const WholeUnits = z.string().regex(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)

export const supplyTotal = operation({
  id: 'catalog.supplyTotal',
  summary: 'The token’s total supply in whole units, as a plain number',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/supply/total',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_SUPPLY,
    mediaType: 'text/plain',
    text: true,
  },
  input: z.strictObject({}),
  output: WholeUnits,
  errors: [],
})

/** What is locked as stake does not circulate. */
export const supplyCirculating = operation({
  id: 'catalog.supplyCirculating',
  summary: 'The token’s supply that is not staked, in whole units, as a plain number',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/api/supply/circulating',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_SUPPLY,
    mediaType: 'text/plain',
    text: true,
  },
  input: z.strictObject({}),
  output: WholeUnits,
  errors: [],
})

const Links = z.array(z.object({ href: z.string(), type: z.string().optional() }))

/** Newest first; the feed of one listing's changes is linked from its entry. */
export const feed = operation({
  id: 'catalog.feed',
  summary: 'The 50 newest verified listings of providers, as Atom (RFC 4287)',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/call/feed.xml',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_FEED,
    mediaType: 'application/atom+xml',
    text: true,
  },
  input: z.strictObject({}),
  output: z.string(),
  errors: [],
})

export const listingFeed = operation({
  id: 'catalog.listingFeed',
  summary: 'What a listing asks and sells, change by change, as Atom',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/call/:serviceId/feed.xml',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: CACHE_FEED,
    mediaType: 'application/atom+xml',
    text: true,
  },
  input: z.strictObject({ serviceId: z.string().min(1).max(128) }),
  output: z.string(),
  errors: [notFound],
})

/** @source RFC 9727, RFC 9264; the relations are those of RFC 6573 and RFC 8631 */
export const apiCatalog = operation({
  id: 'catalog.apiCatalog',
  summary: 'The API catalog of this service',
  timeoutMs: 5_000,
  http: {
    method: 'GET',
    path: '/.well-known/api-catalog',
    auth: 'none',
    limit: 'read',
    ok: 200,
    cache: 'public, max-age=300',
    linksCatalog: true,
    mediaType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  },
  input: z.strictObject({}),
  output: z.object({
    linkset: z.array(
      z.object({
        anchor: z.string(),
        item: Links.optional(),
        'service-desc': Links.optional(),
        'service-doc': Links.optional(),
        status: Links.optional(),
      }),
    ),
  }),
  errors: [],
})

/** What a report is about. */
export const ReportKind = z.enum(['bug', 'listing', 'payment', 'link', 'router', 'other'])

/** It is what its sender writes and nothing else: no address, no program, no credential. */
export const SupportReport = z.strictObject({
  kind: ReportKind,
  message: shownText('paragraphs').min(1).max(2_000),
  /** The listing that it is about. */
  slug: Slug.optional(),
  /** The operation, by its id, and the error code that it answered. */
  operation: z
    .string()
    .regex(/^[a-z0-9-]{1,40}\.[A-Za-z]{1,40}$/, 'must be the id of an operation')
    .optional(),
  code: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'must be an error code')
    .optional(),
  /** `X-Request-Id` of the answer: with it the operator finds the request in our logs, and so whoever sent it. */
  requestId: z.uuid().optional(),
})
export type SupportReport = z.output<typeof SupportReport>

export const submitReport = operation({
  id: 'catalog.submitReport',
  summary: 'Tell the operator of something that is wrong; nothing is kept but what is written',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/support/reports', auth: 'none', limit: 'report', ok: 201 },
  input: SupportReport,
  output: z.object({
    /** Names the report to the operator. */
    id: z.uuid(),
    /** When it is deleted. */
    expiresAt: Timestamp,
  }),
  errors: [rateLimited],
})

/** Reached only by the operator command, never over HTTP. */
export const reports = operation({
  id: 'catalog.reports',
  summary: 'The newest support reports',
  timeoutMs: 5_000,
  input: z.object({ limit: z.number().int().min(1).max(200) }),
  output: z.object({
    reports: z.array(SupportReport.extend({ id: z.uuid(), day: z.iso.date(), expiresAt: Timestamp })),
  }),
  errors: [],
})

nameSchemas({ ReportKind, SupportReport })
