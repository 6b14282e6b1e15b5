import type { EndpointCheck } from '../domain/standing.ts'
import type { CatalogTx } from './tables.ts'

/** The newest check of every endpoint of a listing, past ones included. */
export async function checksOf(tx: CatalogTx, slug: string): Promise<EndpointCheck[]> {
  const rows = await tx.selectFrom('endpoint_check').selectAll().where('slug', '=', slug).execute()
  return rows.map(({ checked_at, ok_at, slug: _slug, ...row }) => ({ ...row, checkedAt: checked_at, okAt: ok_at }))
}

/** Writes the newest check of one endpoint, in place of the one that is kept. */
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
