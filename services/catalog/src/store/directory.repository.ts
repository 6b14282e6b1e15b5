import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Listed, OperationSchemas } from '../domain/listed.ts'
import type { DirectoryPlace } from '../domain/places.ts'
import { groupRank } from '../domain/ranking.ts'
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

const TRUE: Condition = sql`true`

type FoundRow = Pick<ListingTable, 'slug' | 'distrust' | 'staleness' | 'checked_at' | 'mpp'> &
  Pick<Listed, 'snapshot' | 'liveness' | 'conformance'> & { groupRank: number; tier: number }

/**
 * The next listings after a place, in the order group, relevance tier, trust, freshness, slug. Every tier is read in
 * the order of one index, group by group, and no further than the page is long; what they find is merged.
 */
export async function directoryPage(
  db: CatalogDb,
  question: DirectoryQuestion,
  limit: number,
  after?: DirectoryPlace,
): Promise<DirectoryRow[]> {
  const tiers = await tiersOf(db, question.q)
  const asked = isAskedFor(question)
  const branches = tiers.map(
    (isOfTier, tier) => sql`(
      select slug, group_rank as "groupRank", ${sql.lit(tier)} as tier, distrust, staleness,
             snapshot, liveness, conformance, checked_at, mpp
      from listing where published and ${asked} and ${isOfTier} and ${after ? follows(after, tier) : TRUE}
      order by group_rank, distrust, staleness, slug limit ${limit})`,
  )
  const { rows } = await sql<FoundRow>`
    select * from (${sql.join(branches, sql` union all `)}) found
    order by "groupRank", tier, distrust, staleness, slug limit ${limit}`.execute(db)
  return rows.map(({ slug, groupRank, tier, distrust, staleness, checked_at, ...row }) => ({
    ...row,
    checkedAt: checked_at,
    place: { groupRank, tier, distrust, staleness, slug },
  }))
}

/** What of one tier comes after a place. */
function follows({ groupRank, tier, distrust, staleness, slug }: DirectoryPlace, ofTier: number): Condition {
  if (ofTier < tier) return sql<SqlBool>`group_rank > ${groupRank}`
  if (ofTier > tier) return sql<SqlBool>`group_rank >= ${groupRank}`
  return sql<SqlBool>`(group_rank, distrust, staleness, slug) > (${groupRank}, ${distrust}, ${staleness}, ${slug})`
}

/**
 * The condition of each relevance tier, best first. A query without a word finds everything, and one that only excludes
 * words finds the rest; neither is about names, so both have one tier.
 */
async function tiersOf(db: CatalogDb, q: string): Promise<Condition[]> {
  const { words, isIndexable } = q === '' ? BLANK : await wordsOf(db, q)
  if (words === '') return [TRUE]
  const matches = sql<SqlBool>`words @@ ${words}::tsquery`
  if (!isIndexable) return [matches]
  const isNamed = sql<SqlBool>`name_key = ${nameKey(q)}`
  const namesIt = sql<SqlBool>`name_words @@ ${words}::tsquery`
  return [
    isNamed,
    sql<SqlBool>`not ${isNamed} and ${matches} and ${namesIt}`,
    sql<SqlBool>`not ${isNamed} and ${matches} and not ${namesIt}`,
  ]
}

const BLANK = { words: '', isIndexable: false }

/** A query as tsquery text: web search syntax, its last word as a prefix. Empty when it holds no word. */
async function wordsOf(db: CatalogDb, q: string): Promise<typeof BLANK> {
  const asked = sql<string>`websearch_to_tsquery('simple', ${q})::text`
  const words = endsInPrefix(q) ? sql<string>`regexp_replace(${asked}, '''$', ''':*')` : asked
  const { rows } = await sql<typeof BLANK>`
    select words, querytree(words::tsquery) not in ('', 'T') as "isIndexable" from (select ${words} as words) asked
  `.execute(db)
  return rows[0] ?? BLANK
}

function isAskedFor({ visibility, nowMs, network, category }: DirectoryQuestion): Condition {
  const conditions = [
    isVisible(visibility, new Date(nowMs - FRESH_MS)),
    network === undefined ? TRUE : sql<SqlBool>`networks @> ${[network]}`,
    category === undefined ? TRUE : sql<SqlBool>`category = ${category}`,
  ]
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

const OWN = sql.lit(groupRank('svc'))
const EXTERNAL = sql.lit(groupRank('external'))

function isVisible({ listed, external }: Visibility, freshSince: Date): Condition {
  if (listed === 'all' && external === 'all') return TRUE
  const shown = [
    sql<SqlBool>`group_rank = ${OWN}`,
    sql<SqlBool>`verification = 'verified'`,
    ...(listed === 'all' ? [sql<SqlBool>`group_rank < ${EXTERNAL}`] : []),
    ...(external === 'all' ? [sql<SqlBool>`group_rank = ${EXTERNAL}`] : []),
    ...(external === 'fresh' ? [sql<SqlBool>`group_rank = ${EXTERNAL} and ok_at >= ${freshSince}`] : []),
  ]
  return sql<SqlBool>`(${sql.join(shown, sql` or `)})`
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
