import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { DiscoveredResourceRow } from './resource-listing.repository.ts'
import type { FacilitatorDb } from './tables.ts'

export interface ResourceFilter {
  readonly type?: 'http' | 'mcp' | undefined
  readonly payTo?: Address | undefined
  readonly scheme?: string | undefined
  readonly network?: Caip2 | undefined
  /** Name of an extension that the resource's own offer carries. */
  readonly extensions?: string | undefined
}

export interface Page extends ResourceFilter {
  readonly limit: number
  readonly offset: number
}

/** A page of listed resources, in the order in which they were first listed, and the total count. */
export async function listResources(db: FacilitatorDb, page: Page) {
  const [rows, { total }] = await Promise.all([
    matching(db, page)
      .selectAll()
      .orderBy('first_listed_at')
      .orderBy('resource')
      .limit(page.limit)
      .offset(page.offset)
      .execute(),
    matching(db, page)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

/** A resource's position in the results of a query. */
export interface Place {
  /** False for resources that have all words of the query: they come first. */
  readonly lacks: boolean
  readonly rank: number
  readonly resource: string
}

export interface Found extends DiscoveredResourceRow, Place {
  readonly resource: string
}

/**
 * Finds listed resources that match a query, best first: those with all its words, then by where and how often the
 * words occur: names and tags before descriptions, descriptions before paths.
 * @param after the position after which the results continue
 */
export async function searchResources(
  db: FacilitatorDb,
  query: string,
  filter: ResourceFilter,
  { limit, after }: { readonly limit: number; readonly after?: Place | undefined },
): Promise<Found[]> {
  const every = sql`plainto_tsquery('english', ${query})`
  const any = sql`replace(plainto_tsquery('english', ${query})::text, ' & ', ' | ')::tsquery`
  const found = matching(db, filter)
    .selectAll()
    .select([
      sql<boolean>`not words @@ ${every}`.as('lacks'),
      // Negated, so that one direction of comparison serves all parts of a position.
      sql<number>`-ts_rank(words, ${any})::float8`.as('rank'),
    ])
    .where(sql<boolean>`words @@ ${any}`)
  const rows = await db
    .selectFrom(found.as('found'))
    .selectAll()
    .$if(after !== undefined, (more) =>
      more.where(sql<boolean>`(lacks, rank, resource) > (${after?.lacks}, ${after?.rank}::float8, ${after?.resource})`),
    )
    .orderBy('lacks')
    .orderBy('rank')
    .orderBy('resource')
    .limit(limit)
    .execute()
  return rows as Found[]
}

function matching(db: FacilitatorDb, { type, payTo, scheme, network, extensions }: ResourceFilter) {
  let listed = db.selectFrom('discovered_resource').where('is_listed', '=', true)
  if (type) listed = listed.where('type', '=', type)
  // A single entry of `accepts` must match all of these.
  const entry = { ...(scheme ? { scheme } : {}), ...(network ? { network } : {}), ...(payTo ? { payTo } : {}) }
  if (scheme || network || payTo) listed = listed.where(sql<boolean>`accepts @> ${JSON.stringify([entry])}::jsonb`)
  if (extensions) listed = listed.where(sql<boolean>`jsonb_exists(extensions, ${extensions})`)
  return listed
}
