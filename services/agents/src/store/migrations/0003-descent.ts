import { type Kysely, sql } from 'kysely'

/**
 * Who approved a link, and if a trusted device did, the link whose token asked: its parent. Links of the previous
 * release do not say who approved them, except those by which the owner trusted a device. `seen_at` is when the owner
 * acknowledged a link that was approved without asking.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table link
      add column approved_by text check (approved_by in ('owner', 'trusted_device')),
      add column parent_id text,
      add column seen_at timestamptz`.execute(db)
  await sql`update link set approved_by = 'owner' where trusts_device`.execute(db)
  await sql`create index link_by_parent on link (parent_id) where parent_id is not null`.execute(db)
}
