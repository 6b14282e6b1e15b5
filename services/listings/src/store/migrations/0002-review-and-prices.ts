import { lookAlikeKey } from '@callboard/values'
import { type Kysely, sql } from 'kysely'

/** An hour, the value of PRICE_GRACE_MS when this was written. */
const GRACE = sql`interval '1 hour'`

/**
 * Why a listing was taken offline, what the operator verified, what each version asked, and which payments are calls.
 * Past prices are those of published snapshots; settlements of other amounts become transfers, zero ones are deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table listing
      add column suspended_reason text,
      add column other_splitters jsonb not null default '[]',
      add column reviewed jsonb,
      add column name_key text,
      add column name_key_of text`.execute(db)
  await sql`
    create index listing_by_name_key on listing (name_key) where verification = 'verified'`.execute(db)
  const { rows } = await sql<{ slug: string; name: string }>`select slug, name from listing`.execute(db)
  for (const { slug, name } of rows) {
    await sql`update listing set name_key = ${lookAlikeKey(name)}, name_key_of = name where slug = ${slug}`.execute(db)
  }
  await sql`
    create table asked (
      slug text not null references listing,
      version bigint not null,
      since timestamptz not null,
      prices jsonb not null,
      primary key (slug, version)
    )`.execute(db)
  await sql`
    insert into asked
    select listing.slug, (data ->> 'version')::bigint, (data ->> 'updatedAt')::timestamptz,
           case when data ->> 'status' = 'live' then coalesce((
             select jsonb_agg(distinct jsonb_build_object(
                      'network', one -> 'payment' -> 'network',
                      'asset', one -> 'payment' -> 'asset',
                      'amountUsd', one -> 'price'))
             from jsonb_array_elements(data -> 'operations') one
             where jsonb_typeof(one -> 'payment') = 'object' and one ->> 'price' is not null), '[]') else '[]' end
    from outbox join listing on listing.slug = outbox.key
    where outbox.name = 'listing.changed.v1'
    on conflict do nothing`.execute(db)
  await sql`
    alter table settlement add column kind text not null default 'call' check (kind in ('call', 'transfer'))`.execute(
    db,
  )
  await sql`delete from settlement where amount = 0`.execute(db)
  await sql`
    update settlement set kind = 'transfer'
    where not exists (
      select from (
        select asked.*, lead(since) over (partition by asked.slug order by asked.version) as until,
               listing.network, listing.splitter_address
        from asked join listing on listing.slug = asked.slug) offered
      join listing owner on owner.slug = settlement.slug
      where offered.network = settlement.network and offered.splitter_address = owner.splitter_address
        and offered.prices @> jsonb_build_array(jsonb_build_object(
              'network', settlement.network, 'amountUsd', trim_scale(settlement.amount / 1000000)::text))
        and settlement.observed_at >= offered.since - ${GRACE}
        and (offered.until is null or settlement.observed_at <= offered.until + ${GRACE}))`.execute(db)
}
