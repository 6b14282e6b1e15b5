import { type Kysely, sql } from 'kysely'

/**
 * The resources that payments named, those that each version of a listing sold, and settlements that several listings
 * share. Older rows have no nonce and no history of resources: `npm run rebuild catalog` reads both from the events.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_resource (
      network text collate "C" not null,
      asset text collate "C" not null,
      payer text collate "C" not null,
      nonce text collate "C" not null,
      resource text not null,
      sequence bigint not null,
      primary key (network, asset, payer, nonce)
    )`.execute(db)
  await sql`
    alter table settlement add column nonce text collate "C", add column shared_with text[] collate "C"`.execute(db)
  await sql`
    create index settlement_by_payment on settlement (payer, nonce) where nonce is not null`.execute(db)
  await sql`
    create index settlement_by_sharing on settlement using gin (shared_with) where shared_with is not null`.execute(db)
  await sql`alter table listing_removal add column removed_at timestamptz`.execute(db)
  await sql`alter table asked add column resources jsonb`.execute(db)
  await sql`
    update asked set resources = case when listing.snapshot ->> 'status' = 'live' then coalesce((
        select jsonb_agg(distinct regexp_replace(one ->> 'url', '[?#].*$', ''))
        from jsonb_array_elements(listing.snapshot -> 'operations') one), '[]') else '[]' end
    from listing where listing.slug = asked.slug and listing.version = asked.version`.execute(db)
}
