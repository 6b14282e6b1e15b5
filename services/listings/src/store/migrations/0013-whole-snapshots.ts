import { type Kysely, sql } from 'kysely'

/** Finds the snapshots of a listing in the outbox that are not abridged yet, and the versions of a posting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index outbox_whole_snapshots on outbox (key, sequence)
    where name = 'listing.changed.v1' and not data ? 'abridged'`.execute(db)
  await sql`create index outbox_postings on outbox (key, sequence) where name = 'posting.changed.v1'`.execute(db)
}
