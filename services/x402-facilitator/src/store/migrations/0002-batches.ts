import { type Kysely, sql } from 'kysely'

/**
 * A chain nonce carries one payment or many: `leg` lists them, for every transaction ever signed for it, since a
 * replacement has the same calldata. `log_index` is the log in its block by which a settled payment moved its money.
 *
 * This only expands. A replica of the previous release goes on writing `payment_key`, from which a trigger makes the
 * leg. A later release drops the column and the trigger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leg (
      network text not null,
      lane text not null,
      chain_nonce bigint not null,
      payment_key text not null,
      primary key (network, lane, chain_nonce, payment_key)
    )`.execute(db)
  await sql`create index leg_by_payment on leg (payment_key)`.execute(db)
  await sql`
    insert into leg (network, lane, chain_nonce, payment_key)
    select distinct network, lane, chain_nonce, payment_key from transaction`.execute(db)
  await sql`alter table transaction alter column payment_key drop not null`.execute(db)
  await sql`
    create function note_leg() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into leg (network, lane, chain_nonce, payment_key)
      values (new.network, new.lane, new.chain_nonce, new.payment_key) on conflict do nothing;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_leg after insert on transaction for each row when (new.payment_key is not null)
      execute function note_leg()`.execute(db)
  await sql`alter table payment add column log_index bigint`.execute(db)
  await sql`create index payment_by_transaction on payment (tx_hash) where state in ('signed', 'broadcast')`.execute(db)
}
