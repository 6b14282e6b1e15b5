import { type Kysely, sql } from 'kysely'

/**
 * `link_request` is what an agent said when it asked, by the id of its grant; `link` is what an owner granted. A link
 * is `approving` from the owner's decision until oauth has opened its token family, and `ending` until oauth has closed
 * it and the Router has ended its keys: a crash in between is completed by a job. An owner has at most one live link of
 * a wallet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table link_request (
      grant_id text primary key,
      wallet text not null,
      label text not null,
      device text,
      asks_for_trust boolean not null,
      suggested_allowance_usd numeric(8, 2),
      address text not null,
      user_agent text,
      asked_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index link_request_by_end on link_request (expires_at)`.execute(db)
  // One row per owner is locked where links are counted or a device's trust is read: decisions come one after another.
  await sql`create table owner (owner text primary key)`.execute(db)
  await sql`
    create table link (
      id text primary key,
      grant_id text not null unique,
      owner text not null references owner,
      client_id text not null,
      wallet text not null,
      label text not null,
      device text,
      trusts_device boolean not null,
      scopes text[] not null,
      allowance_usd numeric(8, 2) not null,
      may_have_key boolean not null,
      state text not null check (state in ('approving', 'live', 'ending', 'over')),
      linked_at timestamptz not null,
      attempted_at timestamptz not null,
      ended_at timestamptz,
      ended_by text
    )`.execute(db)
  await sql`create index link_by_owner on link (owner, linked_at)`.execute(db)
  await sql`create unique index link_live on link (owner, client_id) where state = 'live'`.execute(db)
  await sql`create index link_unsettled on link (attempted_at) where state in ('approving', 'ending')`.execute(db)
  await sql`
    create table device_trust (
      owner text not null references owner,
      device text not null,
      scopes text[] not null,
      allowance_usd numeric(8, 2) not null,
      since timestamptz not null,
      primary key (owner, device)
    )`.execute(db)
}
