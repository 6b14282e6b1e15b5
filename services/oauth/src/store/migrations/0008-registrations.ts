import { type Kysely, sql } from 'kysely'

/**
 * The network from which a client registered; null for metadata documents, and for clients of the previous release.
 * Clients that no owner granted anything are swept, so grants are looked up by client.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table client add column registered_from text`.execute(db)
  await sql`
    create index client_by_network on client (registered_from) where registered_from is not null`.execute(db)
  await sql`create index token_family_by_client_ever on token_family (client_id)`.execute(db)
}
