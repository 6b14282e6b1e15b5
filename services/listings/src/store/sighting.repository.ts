import { sql } from 'kysely'
import type { ListingsDb, ListingsTx } from './tables.ts'

/** Records that a source currently names resources. */
export const noteSightings = (tx: ListingsTx, source: string, slugs: readonly string[], at: Date) =>
  sql`
    insert into sighting (source, slug, first_seen_at, last_seen_at)
    select ${source}, slug, ${at}, ${at} from unnest(${[...slugs]}::text[]) as named (slug)
    on conflict (slug, source) do update set last_seen_at = excluded.last_seen_at`.execute(tx)

/**
 * How many places a source takes: the resources that it names, and those of its words that no source names any more.
 * These still have their rows, or a source could name others at every import.
 */
export async function countPlaces(db: ListingsDb, source: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from sighting where source = ${source})::integer
      + (select count(*) from mirrored where unnamed_since is not null and claim_source = ${source})::integer as count
    `.execute(db)
  return rows[0]?.count ?? 0
}

/** How many resources each source names. */
export async function countBySource(db: ListingsDb): Promise<Map<string, number>> {
  const { rows } = await sql<{ source: string; count: number }>`
    select source, count(*)::integer as count from sighting group by source`.execute(db)
  return new Map(rows.map(({ source, count }) => [source, count]))
}

/** Ends a source's sightings that are older than a given time. @returns the slugs */
export async function endSightings(tx: ListingsTx, source: string, before: Date): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    delete from sighting where source = ${source} and last_seen_at < ${before} returning slug`.execute(tx)
  return rows.map(({ slug }) => slug)
}

/** The sources that name a resource, by name. */
export const sightingsOf = (db: ListingsDb, slug: string) =>
  db
    .selectFrom('sighting')
    .select(['source', 'first_seen_at', 'last_seen_at'])
    .where('slug', '=', slug)
    .orderBy('source')
    .execute()

/**
 * Records since when rows are unnamed that no source names any more, and releases the texts of a source that left where
 * another one names the row.
 */
export const noteUnnamed = (tx: ListingsTx, slugs: readonly string[], source: string, at: Date) =>
  sql`
    update mirrored set
      unnamed_since = case when is_named then null else coalesce(unnamed_since, ${at}) end,
      claim_source = case when is_named then nullif(claim_source, ${source}) else claim_source end
    from (
      select slug, exists (select from sighting where sighting.slug = mirrored.slug) as is_named
      from mirrored where slug = any(${[...slugs]}::text[])) left_by
    where mirrored.slug = left_by.slug`.execute(tx)

/** Releases the texts of a source that is gone for good, of rows that no source names. */
export const releaseUnnamed = (tx: ListingsTx, source: string) =>
  sql`
    update mirrored set claim_source = null
    where unnamed_since is not null and claim_source = ${source}`.execute(tx)

/** Ends all sightings of a source. @returns the slugs */
export async function endAllSightings(tx: ListingsTx, source: string): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    delete from sighting where source = ${source} returning slug`.execute(tx)
  return rows.map(({ slug }) => slug)
}
