import { type Kysely, sql } from 'kysely'

/**
 * What an owner's signatures are proved by: the key of the address, which is the same on every chain, or the contract
 * at it, which exists on one chain. Accounts of the previous release do not record this; it is determined at their next
 * sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table account
      add column proved_by text check (proved_by in ('key', 'contract')),
      add column chain_id bigint,
      add constraint account_of_chain check ((proved_by = 'contract') = (chain_id is not null))`.execute(db)
}
