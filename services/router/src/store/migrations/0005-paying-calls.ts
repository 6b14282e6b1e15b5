import { type Kysely, sql } from 'kysely'

/**
 * What calls paid for themselves: a key of Compute may draw on the balance as much as was bought with it, and a wallet
 * that signs in or pays has a row as keys have, without a secret.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table router_key
      add column kind text not null default 'secret' check (kind in ('secret', 'wallet')),
      add column paid_in_nano bigint not null default 0,
      add column paid_in_spent_nano bigint not null default 0 check (paid_in_spent_nano >= 0),
      add column paid_in_held_nano bigint not null default 0 check (paid_in_held_nano >= 0),
      add constraint router_key_paid_in check (paid_in_spent_nano + paid_in_held_nano <= paid_in_nano)`.execute(db)
  await sql`alter table call add column from_paid_in boolean not null default false`.execute(db)
  await sql`alter table top_up add column key_id text`.execute(db)
}
