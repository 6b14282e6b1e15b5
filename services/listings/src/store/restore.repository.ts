import { sql } from 'kysely'
import type { ListingsDb } from './tables.ts'

/** So many versions no mirrored row and no posting has in a time that a restore loses. */
const VERSIONS_APART = 60

/** Every listing of an owner's, those that were withdrawn too. */
export const slugsOfAll = async (db: ListingsDb): Promise<string[]> =>
  (await db.selectFrom('listing').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)

/** Has the next change of mirrored rows and postings follow every one that was published in the lost time. */
export async function raiseVersions(db: ListingsDb): Promise<void> {
  await sql`update mirrored set version = version + ${VERSIONS_APART}`.execute(db)
  await sql`update posting set version = version + ${VERSIONS_APART}`.execute(db)
}
