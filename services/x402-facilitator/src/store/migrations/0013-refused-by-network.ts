import { type Kysely, sql } from 'kysely'

/** Refused payments are counted by the network that had them refused. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payment_refused_by_network on payment (origin, updated_at) where state = 'refused'`.execute(db)
}
