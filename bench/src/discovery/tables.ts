import type pg from 'pg'
import { indexedListing } from '../../../services/catalog/src/directory/indexed-listing.ts'
import { standpointOf } from '../../../services/catalog/src/directory/place-key.ts'
import type { ListedSnapshot } from '../../../services/catalog/src/domain/listed.ts'
import { groupRank } from '../../../services/catalog/src/domain/ranking.ts'
import { batches } from './listings.ts'

const BATCH = 5_000

/** Fills the catalog's tables as its consumers would. */
export async function fillCatalog(client: pg.Client, count: number): Promise<void> {
  for await (const batch of batches(count, BATCH)) {
    const listings = batch.map(({ snapshot }) => snapshot)
    await client.query(
      `insert into catalog.listing
         (slug, version, snapshot, schemas, name, group_rank, verification, endpoints, removed, published)
       select one->>'slug', 1, one, '[{}]', one->>'name',
              array_position(array['svc','added','partner','external'], one->>'group') - 1,
              one->>'verification', 1, false, true
       from unnest($1::jsonb[]) one`,
      [listings],
    )
    const checks = batch.flatMap(({ slug, checks }) => checks.map((check) => JSON.stringify({ slug, ...check })))
    await client.query(
      `insert into catalog.endpoint_check (slug, method, url, checked_at, sequence, state, ok_at, liveness, conformance)
       select one->>'slug', one->>'method', one->>'url', (one->>'checkedAt')::timestamptz, 1, one->>'state',
              (one->>'okAt')::timestamptz, one->'liveness', one->'conformance'
       from unnest($1::jsonb[]) one`,
      [checks],
    )
  }
  await client.query('vacuum analyze')
}

/**
 * The peer: a careful application on Postgres alone. Generated text vectors, weighted, under GIN; the directory's order
 * under a btree.
 */
export async function fillPeer(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `create table peer (
       id integer primary key, group_rank smallint not null, distrust smallint not null, staleness integer not null,
       verified boolean not null, ok_at timestamptz not null, title text not null, summary text not null,
       title_words tsvector generated always as (to_tsvector('simple', title)) stored,
       words tsvector generated always as (
         setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', summary), 'C')) stored)`,
  )
  let id = 0
  for await (const batch of batches(count, BATCH)) {
    const rows = batch.map((record) => {
      const listing = JSON.parse(record.snapshot) as ListedSnapshot
      const { key, okAtMs } = indexedListing(record)
      const { distrust, staleness } = standpointOf(key)
      id += 1
      const { name: title, description: summary } = listing
      const verified = listing.verification === 'verified'
      return {
        id,
        group_rank: groupRank(listing.group),
        distrust,
        staleness,
        verified,
        ok_at: new Date(okAtMs),
        title,
        summary,
      }
    })
    await client.query(
      `insert into peer select * from json_to_recordset($1::json)
       as row (id integer, group_rank smallint, distrust smallint, staleness integer, verified boolean,
               ok_at timestamptz, title text, summary text)`,
      [JSON.stringify(rows)],
    )
  }
  await client.query('create index on peer using gin (words) with (fastupdate = off)')
  await client.query('create index on peer using gin (title_words) with (fastupdate = off)')
  await client.query('create index on peer (group_rank, distrust, staleness, id)')
  await client.query('vacuum analyze peer')
}
