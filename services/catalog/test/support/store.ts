import { type Database, openDatabase } from '@callboard/store'
import type { CatalogTables } from '../../src/store/tables.ts'
import type { TestCatalog } from './catalog.ts'

/** One connection to the tables of a running catalog, for its repositories. */
export const openStore = ({ database }: TestCatalog): Database<CatalogTables> =>
  openDatabase<CatalogTables>({ url: database.url, schema: 'catalog', maxConnections: 1, onError: () => {} })
