import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, OperationSchemas } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { GROUPS } from '../domain/ranking.ts'
import { endsInPrefix, nameKey } from '../domain/search-text.ts'
import { FRESH_MS, type Visibility } from '../domain/visibility.ts'
import type { CatalogDb, ListingTable } from './tables.ts'

/** Which listings are asked for. */
export interface DirectoryQuestion {
  readonly visibility: Visibility
  /** Made by `plainQuery`; empty: all. */
  readonly q: string
  readonly nowMs: number
  readonly network?: string | undefined
  readonly category?: string | undefined
}

export interface DirectoryRow extends Listed {
  readonly place: DirectoryPlace
}

type Condition = RawBuilder<SqlBool>

/**
 * The next listings after a place, in the order group, relevance tier, trust, freshness, slug. One statement per group,
 * and no more groups than fill the page: within a group every branch can be read in the order of an index.
 */
export async function directoryPage(
  db: CatalogDb,
  question: DirectoryQuestion,
  limit: number,
  after?: DirectoryPlace,
): Promise<DirectoryRow[]> {
  const tiers = await tiersOf(db, question.q)
  const page: DirectoryRow[] = []
  for (let rank = after?.groupRank ?? 0; rank < GROUPS.length && page.length < limit; rank += 1) {
    const start = after?.groupRank === rank ? after : undefined
    page.push(...(await groupPage(db, question, tiers, rank, limit - page.length, start)))
  }
  return page
}

/** The condition of each relevance tier, best first; without a word to search for, one tier holds everything. */
async function tiersOf(db: CatalogDb, q: string): Promise<Condition[]> {
  const words = q === '' ? '' : await wordsOf(db, q)
  if (words === '') return [sql<SqlBool>`true`]
  const isNamed = sql<SqlBool>`name_key = ${nameKey(q)}`
  const namesIt = sql<SqlBool>`name_words @@ ${words}::tsquery`
  const mentionsIt = sql<SqlBool>`words @@ ${words}::tsquery`
  return [
    isNamed,
    sql<SqlBool>`not ${isNamed} and ${namesIt}`,
    sql<SqlBool>`not ${isNamed} and not ${namesIt} and ${mentionsIt}`,
  ]
}

/** A query as tsquery text: web search syntax, its last word as a prefix. Empty when it holds no word. */
async function wordsOf(db: CatalogDb, q: string): Promise<string> {
  const words = sql<string>`websearch_to_tsquery('simple', ${q})::text`
  const asked = endsInPrefix(q) ? sql<string>`regexp_replace(${words}, '''$', ''':*')` : words
  const { rows } = await sql<{ asked: string }>`select ${asked} as asked`.execute(db)
  return rows[0]?.asked ?? ''
}

type FoundRow = Pick<ListingTable, 'slug' | 'distrust' | 'staleness' | 'checked_at' | 'mpp'> &
  Pick<Listed, 'snapshot' | 'liveness' | 'conformance'> & { tier: number }

async function groupPage(
  db: CatalogDb,
  question: DirectoryQuestion,
  tiers: readonly Condition[],
  rank: number,
  limit: number,
  after: DirectoryPlace | undefined,
): Promise<DirectoryRow[]> {
  const branches = tiers.flatMap((condition, tier) => {
    if (after && tier < after.tier) return []
    const start =
      after?.tier === tier ? sql<SqlBool>`${PLACE} > (${after.distrust}, ${after.staleness}, ${after.slug})` : TRUE
    return sql`(
      select slug, ${sql.lit(tier)} as tier, distrust, staleness, snapshot, liveness, conformance, checked_at, mpp
      from listing
      where published and group_rank = ${sql.lit(rank)} and ${isAskedFor(question, rank)} and ${condition} and ${start}
      order by distrust, staleness, slug limit ${limit})`
  })
  const { rows } = await sql<FoundRow>`
    select * from (${sql.join(branches, sql` union all `)}) found
    order by tier, distrust, staleness, slug limit ${limit}`.execute(db)
  return rows.map(({ slug, tier, distrust, staleness, checked_at, ...row }) => ({
    ...row,
    checkedAt: checked_at,
    place: { groupRank: rank, tier, distrust, staleness, slug },
  }))
}

const TRUE = sql<SqlBool>`true`
const PLACE = sql`(distrust, staleness, slug)`
const IS_VERIFIED = sql<SqlBool>`verification = 'verified'`

function isAskedFor({ visibility, nowMs, network, category }: DirectoryQuestion, rank: number): Condition {
  const conditions = [
    isVisible(visibility, rank, new Date(nowMs - FRESH_MS)),
    network === undefined ? TRUE : sql<SqlBool>`networks @> ${[network]}`,
    category === undefined ? TRUE : sql<SqlBool>`category = ${category}`,
  ]
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function isVisible({ listed, external }: Visibility, rank: number, freshSince: Date): Condition {
  const group = GROUPS[rank]
  if (group === 'svc') return TRUE
  const shown = group === 'external' ? external : listed
  if (shown === 'all') return TRUE
  return shown === 'verified' ? IS_VERIFIED : sql<SqlBool>`(${IS_VERIFIED} or ok_at >= ${freshSince})`
}

/** One published listing with its schemas. */
export async function findPublished(
  db: CatalogDb,
  slug: string,
): Promise<{ listed: Listed; schemas: OperationSchemas[] } | undefined> {
  const row = await db
    .selectFrom('listing')
    .select(['snapshot', 'schemas', 'liveness', 'conformance', 'checked_at', 'mpp'])
    .where('slug', '=', slug)
    .where('published', '=', true)
    .executeTakeFirst()
  if (!row) return undefined
  const { schemas, checked_at, ...listed } = row
  return { listed: { ...listed, checkedAt: checked_at }, schemas }
}
