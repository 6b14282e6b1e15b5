import { z } from 'zod'
import { nameSchemas } from '../named-schemas.ts'
import { Fee, Group, HttpMethod, Network, Verification } from './words.ts'

export const DISCOVERY_PROTOCOL = 'callboard-discovery/1'
export const RANKING_VERSION = 'marketplace-ranking-v1'

export const ItemKind = z.enum(['api', 'service_offer', 'open_request'])
export type ItemKind = z.output<typeof ItemKind>

/**
 * One discovery result. `action.href` is relative: for an `api` it carries a signature over the call it describes; for
 * other kinds it leads to the whole posting, and `execution.url` is the contact that its poster gives.
 */
export const DiscoveryItem = z.object({
  ref: z.string(),
  card: z.object({
    title: z.string(),
    summary: z.string(),
    byline: z.string(),
    badges: z.array(z.object({ code: z.string(), label: z.string() })),
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  kind: ItemKind,
  provenance: z.string(),
  group: Group,
  fee: Fee,
  verification: Verification,
  execution: z.object({
    mode: z.enum(['direct', 'relay', 'unavailable']),
    url: z.string(),
    method: HttpMethod,
    network: Network,
    payable: z.boolean(),
  }),
  action: z.object({ type: z.enum(['invoke_api', 'view_posting']), href: z.string() }),
})
export type DiscoveryItem = z.output<typeof DiscoveryItem>

const FacetValues = z.array(z.object({ value: z.string(), count: z.number().int().min(1) }))

/** The number of results of a query, and of those with each value; most frequent values first, 20 of a kind. */
export const Facets = z.object({
  total: z.number().int().min(0),
  /** False when there are more than were counted. */
  isComplete: z.boolean(),
  category: FacetValues,
  network: FacetValues,
  asset: FacetValues,
})
export type Facets = z.output<typeof Facets>

/** Counting of `hiddenUnverified` stops here. */
export const MOST_HIDDEN = 100

export const DiscoveryPage = z.object({
  protocol: z.literal(DISCOVERY_PROTOCOL),
  items: z.array(DiscoveryItem),
  nextCursor: z.string().nullable(),
  /**
   * How many unreviewed listings match: `includeUnverified` shows them. Given on the first page and 0 on the others;
   * 100 means that many or more.
   */
  hiddenUnverified: z.number().int().min(0).max(MOST_HIDDEN),
  /** The requested kinds missing from this page because their source cannot be read now. */
  unavailableKinds: z.array(ItemKind),
  /** Only if requested. */
  facets: Facets.optional(),
  rankingVersion: z.literal(RANKING_VERSION),
})
export type DiscoveryPage = z.output<typeof DiscoveryPage>

nameSchemas({ ItemKind, Facets, DiscoveryItem, DiscoveryPage })
