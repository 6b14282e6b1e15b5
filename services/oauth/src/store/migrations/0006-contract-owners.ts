import { type Kysely, sql } from 'kysely'

/**
 * What stands behind an owner's signatures: the key of the address, which is one on every chain, or the contract at it, which
 * is one on one chain. Accounts of the release before do not say; each is determined at its next sign-in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table account
      add column proved_by text check (proved_by in ('key', 'contract')),
      add column chain_id bigint,
      add constraint account_of_chain check ((proved_by = 'contract') = (chain_id is not null))`.execute(db)
}
