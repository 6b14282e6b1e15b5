import { type Kysely, sql } from 'kysely'

/** When a payer was last debited: a balance that was read earlier may still include the money, at any replica. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payer_credit add column debited_at timestamptz`.execute(db)
}
