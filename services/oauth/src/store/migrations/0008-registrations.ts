import { type Kysely, sql } from 'kysely'

/**
 * From which network a client registered; null for metadata documents, and for those of the release before. Those that no
 * owner granted anything are swept, so what was ever granted to a client is looked for by it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client add column registered_from text`.execute(db)
  await sql`
    create index client_by_network on client (registered_from) where registered_from is not null`.execute(db)
  await sql`create index token_family_by_client_ever on token_family (client_id)`.execute(db)
}
