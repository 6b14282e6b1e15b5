import { z } from 'zod'
import { operation } from '../../operation.ts'
import { notFound } from '../../refusals.ts'

/** Five minutes, as the specification says. */
const CACHE_FEED = 'public, max-age=300'
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
  summary: 'The changes of what a listing sells and charges, as Atom',
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
