import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table support_report (
      id uuid primary key,
      day text collate "C" not null,
      expires_at timestamptz not null,
      report jsonb not null
    )`.execute(db)
  await sql`create index support_report_by_day on support_report (day, id)`.execute(db)
  await sql`create index support_report_by_end on support_report (expires_at)`.execute(db)
}
