import { type Kysely, sql } from 'kysely'

/**
 * The URLs that settled payments name, and what our own probe read there. Rows of `resource` hold payers' claims about
 * a URL: they are no longer listed, and their URLs wait for a probe. A replica of the previous release goes on writing
 * that table; the next payment names again what it settles. A later release drops it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table discovered_resource (
      url text primary key,
      origin text not null,
      first_pay_to text not null,
      first_settled_at timestamptz not null,
      last_settled_at timestamptz not null,
      due_at timestamptz,
      asked_at timestamptz,
      probe_id text,
      failed_probes integer not null default 0,
      probed_at timestamptz,
      state text,
      resource text,
      type text,
      x402_version integer,
      accepts jsonb,
      description text,
      mime_type text,
      service_name text,
      tags jsonb,
      icon_url text,
      extensions jsonb,
      words tsvector,
      offered_at timestamptz,
      is_listed boolean not null default false,
      unlisted_because text default 'not_probed',
      first_listed_at timestamptz,
      check (is_listed = (unlisted_because is null))
    )`.execute(db)
  await sql`create index discovered_resource_due on discovered_resource (due_at, url) where due_at is not null`.execute(
    db,
  )
  await sql`
    create index discovered_resource_unprobed_by_origin on discovered_resource (origin) where probed_at is null`.execute(
    db,
  )
  await sql`
    create index discovered_resource_unprobed_by_payee on discovered_resource (first_pay_to)
      where probed_at is null`.execute(db)
  await sql`create unique index discovered_resource_listed on discovered_resource (resource) where is_listed`.execute(
    db,
  )
  await sql`
    create index discovered_resource_by_age on discovered_resource (first_listed_at, resource) where is_listed`.execute(
    db,
  )
  await sql`
    create index discovered_resource_accepts on discovered_resource using gin (accepts jsonb_path_ops)
      where is_listed`.execute(db)
  await sql`create index discovered_resource_words on discovered_resource using gin (words) where is_listed`.execute(db)
  await sql`
    create table settled_terms (
      url text not null references discovered_resource on delete cascade,
      network text not null,
      asset text not null,
      pay_to text not null,
      first_settled_at timestamptz not null,
      last_settled_at timestamptz not null,
      primary key (url, network, asset, pay_to)
    )`.execute(db)
  await sql`
    create table probe_asked (
      probe_id text primary key,
      origin text not null,
      pay_to text not null,
      asked_at timestamptz not null
    )`.execute(db)
  await sql`create index probe_asked_by_age on probe_asked (asked_at)`.execute(db)
  await sql`
    insert into discovered_resource (url, origin, first_pay_to, first_settled_at, last_settled_at, due_at)
    select distinct on (resource) resource, substring(resource from '^https?://[^/]+'), pay_to, first_seen_at,
      last_updated_at, now()
    from resource where resource ~ '^https?://[^/]+/'
    order by resource, first_seen_at`.execute(db)
  await sql`
    insert into settled_terms (url, network, asset, pay_to, first_settled_at, last_settled_at)
    select resource, entry->>'network', entry->>'asset', pay_to, min(first_seen_at), max(last_updated_at)
    from resource cross join jsonb_array_elements(accepts) entry
    where resource in (select url from discovered_resource)
      and entry->>'network' is not null and entry->>'asset' is not null
    group by 1, 2, 3, 4`.execute(db)
}
