import { type Kysely, sql } from 'kysely'

/**
 * What payments cost us and who is answerable. A payment holds for whom and from where it was requested, and what its
 * transaction may burn; `gas_spent` what was burned, per ten minutes; `payer_credit` what a payer has settled;
 * `known_payee` who is paid through a live listing.
 *
 * This only adds. A row that a replica of the previous release signs has no `gas_limit`, and counts as one transfer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment
      add column origin text,
      add column sponsor text,
      add column new_payer text,
      add column exposure integer,
      add column gas_limit bigint,
      add column legs integer`.execute(db)
  await sql`
    create table gas_spent (
      network text not null,
      scope text not null,
      subject text not null,
      piece timestamptz not null,
      spent bigint not null,
      wasted bigint not null,
      primary key (network, scope, subject, piece)
    )`.execute(db)
  await sql`create index gas_spent_by_age on gas_spent (piece)`.execute(db)
  await sql`
    create table payer_credit (
      network text not null,
      payer text not null,
      credit integer not null,
      primary key (network, payer)
    )`.execute(db)
  await sql`create table listing (slug text primary key, version bigint not null)`.execute(db)
  await sql`
    create table known_payee (
      network text not null,
      address text not null,
      slug text not null references listing (slug),
      primary key (network, address, slug)
    )`.execute(db)
  await sql`create index known_payee_by_listing on known_payee (slug)`.execute(db)
}
