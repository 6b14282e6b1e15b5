import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { EndpointCheck } from '../domain/check-summary.ts'
import type { CatalogDb, CatalogTx, EndpointCheckTable } from './tables.ts'

/** An endpoint of a listing. */
export type Sold = Pick<EndpointCheck, 'method' | 'url'>

/** These endpoints, as the table `sold` of a statement. */
export const soldOf = (sold: readonly Sold[]) => sql`
  unnest(${sold.map(({ method }) => method)}::text[], ${sold.map(({ url }) => url)}::text[]) as sold (method, url)`

/**
 * The rows `one` that a table keeps of the endpoints in `sold`, each looked up by its key: the table may hold any number
 * of endpoints that the listing no longer has, as its provider may replace them again and again.
 */
export const rowsOfSold = (
  table: 'endpoint_check' | 'live_offer',
  slug: RawBuilder<unknown>,
  sold: RawBuilder<unknown>,
) => sql`
  ${sold} cross join lateral (
    select * from ${sql.table(table)} kept
    where kept.slug = ${slug} and kept.method = sold.method and kept.url = sold.url limit 1) one`

/** The newest check of each of these endpoints of a listing. */
export async function checksOf(db: CatalogDb, slug: string, sold: readonly Sold[]): Promise<EndpointCheck[]> {
  const { rows } = await sql<Selectable<EndpointCheckTable>>`
    select one.* from ${rowsOfSold('endpoint_check', sql`${slug}`, soldOf(sold))}`.execute(db)
  return rows.map(checkOf)
}

/** The newest check of one endpoint. */
export async function findCheck(
  tx: CatalogTx,
  slug: string,
  method: string,
  url: string,
): Promise<EndpointCheck | undefined> {
  const row = await tx
    .selectFrom('endpoint_check')
    .selectAll()
    .where('slug', '=', slug)
    .where('method', '=', method)
    .where('url', '=', url)
    .executeTakeFirst()
  return row && checkOf(row)
}

const checkOf = ({ slug: _slug, checked_at, ok_at, ...row }: Selectable<EndpointCheckTable>): EndpointCheck => ({
  ...row,
  checkedAt: checked_at,
  okAt: ok_at,
})

/** Writes the newest check of one endpoint, replacing the stored one. */
export async function saveCheck(tx: CatalogTx, slug: string, check: EndpointCheck): Promise<void> {
  const { method, url, ...rest } = check
  const row = {
    checked_at: rest.checkedAt,
    sequence: rest.sequence,
    state: rest.state,
    ok_at: rest.okAt,
    liveness: JSON.stringify(rest.liveness),
    conformance: rest.conformance && JSON.stringify(rest.conformance),
  }
  await tx
    .insertInto('endpoint_check')
    .values({ slug, method, url, ...row })
    .onConflict((conflict) => conflict.columns(['slug', 'method', 'url']).doUpdateSet(row))
    .execute()
}

/** Deletes the last checks of endpoints that have not been checked since a given time. */
export const deleteChecksBefore = (db: CatalogDb, before: Date) =>
  db.deleteFrom('endpoint_check').where('checked_at', '<', before).execute()
