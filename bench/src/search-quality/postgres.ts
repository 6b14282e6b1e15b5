import type pg from 'pg'
import { searchText } from '../../../services/catalog/src/domain/search-text.ts'
import { JUDGED, type Search } from './judging.ts'
import type { JudgedListing } from './listings.ts'
import { snapshotOf } from './snapshots.ts'

/** Fills a table with the listings that may be shown: weighted English vectors of the same two texts under GIN. */
export async function fillPostgres(client: pg.Client, listings: readonly JudgedListing[]): Promise<void> {
  await client.query(
    `create table judged (
       slug text primary key, category text not null, price numeric not null, name text not null, text text not null,
       words tsvector generated always as (
         setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', text), 'C')) stored)`,
  )
  const rows = listings
    .filter(({ facts }) => facts.isVisible)
    .map(({ facts: { slug, category, price }, record }) => {
      const snapshot = snapshotOf(record)
      return { slug, category, price, name: snapshot.name, text: searchText(snapshot) }
    })
  await client.query(
    `insert into judged select * from json_to_recordset($1::json)
     as row (slug text, category text, price numeric, name text, text text)`,
    [JSON.stringify(rows)],
  )
  await client.query('create index on judged using gin (words)')
  await client.query('vacuum analyze judged')
}

/**
 * Postgres full-text search ranked by `ts_rank_cd`.
 * @param words whether all must match, as `websearch_to_tsquery` reads a query, or any
 */
export const postgresSearch =
  (client: pg.Client, words: 'all' | 'any'): Search =>
  async ({ q, filters }) => {
    const asked = `websearch_to_tsquery('english', $1)`
    const query = words === 'all' ? asked : `replace(${asked}::text, ' & ', ' | ')::tsquery`
    const { rows } = await client.query<{ slug: string }>(
      `select slug from judged, (select ${query} as asked) query
       where words @@ asked and ($2::text is null or category = $2) and ($3::numeric is null or price <= $3)
       order by ts_rank_cd(words, asked) desc, slug limit ${JUDGED}`,
      [q, filters?.category ?? null, filters?.maxPrice ?? null],
    )
    return rows.map(({ slug }) => slug)
  }
