import { type Kysely, sql } from 'kysely'

/**
 * Finds the later checks of an endpoint in the outbox (see `supersededChecks`). By the hash of the URL, since an entry
 * of an index is shorter than a URL may be.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index outbox_checks on outbox (key, hashtextextended(data ->> 'url', 0), sequence)
    where name = 'probe.completed.v1'`.execute(db)
}
