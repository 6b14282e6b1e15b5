import { z } from 'zod'
import { operation } from '../../operation.ts'
import { invalidRequest, notFound } from '../../refusals.ts'
import { CatalogueEntry, InvokedCall } from '../../schemas/catalogue-entry.ts'
import { DiscoveryPage, ItemKind } from '../../schemas/discovery.ts'
import { Posting, PostingId } from '../../schemas/posting.ts'
import { Service } from '../../schemas/service.ts'
import { ShownIn } from '../../schemas/visibility.ts'
import {
  Address,
  Category,
  Cursor,
  Network,
  queryBoolean,
  queryInt,
  queryShare,
  repeated,
  Slug,
  Usd,
} from '../../schemas/words.ts'

const CACHE_DIRECTORY = 'public, max-age=15, stale-while-revalidate=60'
const Query = z.string().max(200, 'must be at most 200 characters').optional()
/** The highest price, in USD; compared at its written precision. */
const MaxPrice = Usd.max(40, 'must be at most 40 characters')

export const discovery = operation({
  id: 'catalog.discovery',
  summary: 'Search and list everything that can be called',
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
    cursor: Cursor,
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
  summary: 'Listings in the frozen `services` format',
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
  summary: 'The first thousand entries of the published catalogue, in its order',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/calls/list', auth: 'none', limit: 'read', ok: 200, cache: CACHE_DIRECTORY },
  input: z.strictObject({}),
  output: z.object({ calls: z.array(Service) }),
  errors: [],
})

export const entry = operation({
  id: 'catalog.entry',
  summary: 'One catalogue entry, with everything needed to build a call',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/calls/:serviceId', auth: 'none', limit: 'read', ok: 200, cache: CACHE_DIRECTORY },
  input: z.strictObject({ serviceId: z.string().min(1).max(128) }),
  output: CatalogueEntry,
  errors: [notFound],
})

/** The members of an invoke link; texts of a query, of which nothing is known before the signature holds. */
const InvokeLink = z.object({
  url: z.string().max(2_048),
  method: z.string().max(16),
  /** The path of the catalogue entry, which holds the request's schema. */
  schema: z.string().max(256),
  network: z.string().max(64),
  sig: z.string().max(64),
})

/**
 * Called only by the gateway, for its page `/call/invoke`. A link that was not signed here is refused with field `sig`.
 * What is no longer there is named by the field: `schema` if no such listing is published, `url` if the listing no
 * longer sells that method and URL, `network` if it is paid elsewhere now.
 */
export const readInvokeLink = operation({
  id: 'catalog.readInvokeLink',
  summary: 'The call that an invoke link opens',
  timeoutMs: 5_000,
  input: InvokeLink,
  output: InvokedCall,
  errors: [invalidRequest, notFound],
})

/** Called only by `listings`, which knows the owner. */
export const places = operation({
  id: 'catalog.places',
  summary: 'The position of a listing in each result of the directory',
  timeoutMs: 5_000,
  input: z.object({ slug: Slug, q: Query }),
  output: z.object({
    /** The version of the newest snapshot received; null before the first. */
    version: z.number().int().positive().nullable(),
    /** Without a query. */
    browsed: z.array(ShownIn),
    /** With the query; null where none was given. */
    found: z.array(ShownIn).nullable(),
  }),
  errors: [],
})
