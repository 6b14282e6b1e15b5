import { sql } from 'kysely'
import type { ListingsDb } from './tables.ts'

/** An owner may change a posting as fast as a limit allows: in a year no posting gains this many versions. */
const POSTING_VERSIONS_APART = 1_000_000
/** A mirrored row changes as it is named and probed: none gains this many versions within the time that a restore loses. */
const MIRRORED_VERSIONS_APART = 60

/** All listings of owners, including withdrawn ones. */
export const slugsOfAll = async (db: ListingsDb): Promise<string[]> =>
  (await db.selectFrom('listing').select('slug').orderBy('slug').execute()).map(({ slug }) => slug)

/**
 * Makes the next change of mirrored rows and postings follow every change published in the lost time.
 * @param first the version of a mirrored row that began now: a row that left in the lost time began anew before it
 */
export async function raiseVersions(db: ListingsDb, first: number): Promise<void> {
  await sql`
    update mirrored set version = greatest(version + ${MIRRORED_VERSIONS_APART}, ${first}::bigint)`.execute(db)
  await sql`update posting set version = version + ${POSTING_VERSIONS_APART}`.execute(db)
}
