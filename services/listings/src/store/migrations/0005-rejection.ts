import { type Kysely, sql } from 'kysely'

/** Whether and why the operator rejected a listing, which its owner cannot undo alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table listing add column rejected_at timestamptz, add column rejected_reason text`.execute(db)
  await sql`update listing set rejected_at = updated_at where status = 'rejected'`.execute(db)
  await sql`create index listing_rejected on listing (owner) where rejected_at is not null`.execute(db)
  await sql`
    create index listing_rejected_by_wallet on listing (payout_wallet) where rejected_at is not null`.execute(db)
}
