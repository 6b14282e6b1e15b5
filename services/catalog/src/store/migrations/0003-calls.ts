import { type Kysely, sql } from 'kysely'

/**
 * Defines calls by what each version of a listing asked. The projection holds the newest version only, so every price
 * ever asked counts for it until the next version comes; `npm run rebuild catalog` assigns each to its time. An older
 * process continues with `asked_price`, which a later release drops.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table asked (
      slug text collate "C" not null,
      version bigint not null,
      since timestamptz not null,
      prices jsonb not null,
      primary key (slug, version)
    )`.execute(db)
  await sql`
    insert into asked
    select listing.slug, listing.version, timestamptz 'epoch',
           (select jsonb_agg(distinct jsonb_build_object(
              'network', price.network, 'asset', one -> 'payment' -> 'asset', 'amountUsd', trim_scale(price.amount_usd)::text))
            from asked_price price
            join jsonb_array_elements(listing.snapshot -> 'operations') one
              on one -> 'payment' ->> 'network' = price.network
            where price.slug = listing.slug)
    from listing
    where exists (
      select from asked_price price
      join jsonb_array_elements(listing.snapshot -> 'operations') one on one -> 'payment' ->> 'network' = price.network
      where price.slug = listing.slug)`.execute(db)
  await sql`delete from settlement where amount_usd = 0`.execute(db)
  await sql`
    alter table settlement add column kind text not null default 'call' check (kind in ('call', 'transfer'))`.execute(
    db,
  )
  await sql`
    update settlement set kind = 'transfer'
    where slug is not null and not exists (
      select from asked where asked.slug = settlement.slug and asked.prices @> jsonb_build_array(jsonb_build_object(
        'network', settlement.network, 'asset', settlement.asset,
        'amountUsd', trim_scale(settlement.amount_usd)::text)))`.execute(db)
}
