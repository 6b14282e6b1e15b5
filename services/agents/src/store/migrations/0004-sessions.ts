import { type Kysely, sql } from 'kysely'

/** The session in which an owner approved a link; oauth opens nothing for an ended one. Older replicas omit it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table link add column session_id text`.execute(db)
}
