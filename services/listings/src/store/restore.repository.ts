import { sql } from 'kysely'
import type { ListingsDb } from './tables.ts'

/** No mirrored row or posting gains this many versions within the time that a restore loses. */
const VERSIONS_APART = 60

/** All listings of owners, including withdrawn ones. */
export const slugsOfAll = async (db: ListingsDb): Promise<string[]> =>
  (await db.selectFrom('listing').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)

/** Makes the next change of mirrored rows and postings follow every change published in the lost time. */
export async function raiseVersions(db: ListingsDb): Promise<void> {
  await sql`update mirrored set version = version + ${VERSIONS_APART}`.execute(db)
  await sql`update posting set version = version + ${VERSIONS_APART}`.execute(db)
}
