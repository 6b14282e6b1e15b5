import { type Kysely, sql } from 'kysely'

/**
 * The resources that payments named, those that each version of a listing sold, and settlements that several listings
 * of a wallet share. Past resources are those of the published snapshots; past settlements keep their listing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payment_resource (
      network text not null,
      payer text not null,
      nonce text not null,
      resource text not null,
      sequence bigint not null,
      primary key (network, payer, nonce)
    )`.execute(db)
  await sql`
    alter table settlement add column payer text, add column nonce text, add column shared_with text[]`.execute(db)
  await sql`
    create index settlement_by_payment on settlement (payer, nonce) where nonce is not null`.execute(db)
  await sql`
    create index settlement_by_sharing on settlement using gin (shared_with) where shared_with is not null`.execute(db)
  await sql`alter table asked add column resources jsonb`.execute(db)
  await sql`
    update asked set resources = case when data ->> 'status' = 'live' then coalesce((
        select jsonb_agg(distinct regexp_replace(one ->> 'url', '[?#].*$', ''))
        from jsonb_array_elements(data -> 'operations') one), '[]') else '[]' end
    from outbox
    where outbox.name = 'listing.changed.v1' and outbox.key = asked.slug
      and (outbox.data ->> 'version')::bigint = asked.version`.execute(db)
}
