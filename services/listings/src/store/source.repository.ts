import type { Selectable } from 'kysely'
import type { SourceFilters, SourceKind } from '../domain/mirror/source.ts'
import type { ListingsDb, ListingsTx, SourceTable } from './tables.ts'

export type Source = Selectable<SourceTable>

/** A source as it is configured. */
export interface ConfiguredSource {
  readonly name: string
  readonly kind: SourceKind
  readonly url: string
  readonly filters: SourceFilters
  readonly intervalMs: number
}

/** Adds a source, due now, or changes what is configured of one that is known. */
export const putSource = (tx: ListingsTx, source: ConfiguredSource, by: SourceTable['configured_by'], now: Date) => {
  const configured = {
    kind: source.kind,
    url: source.url,
    filters: JSON.stringify(source.filters),
    configured_by: by,
    interval_ms: source.intervalMs,
  }
  return tx
    .insertInto('source')
    .values({ ...configured, name: source.name, due_at: now, failures: 0, created_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(configured))
    .execute()
}

/** All sources, by name. */
export const allSources = (db: ListingsDb): Promise<Source[]> =>
  db.selectFrom('source').selectAll().orderBy('name').execute()
