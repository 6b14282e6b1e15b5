import { type Kysely, sql } from 'kysely'

/** Which verdict of the operator applies to a listing, and whether the operator suspended a mirrored row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listing add column rejected_kind text check (rejected_kind in ('rejected', 'suspended'))`.execute(db)
  await sql`alter table mirrored add column taken_down jsonb`.execute(db)
}
