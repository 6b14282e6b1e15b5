import { type Kysely, sql } from 'kysely'

/**
 * A `payment-identifier` names a request of one payer, and of one owner where the operation knows the purchase's owner.
 * The previous table, keyed by operation and identifier alone, belongs to no particular party. Its rows are copied for
 * the payer whose payment made them. A replica of the previous release goes on writing it, and a trigger makes the row
 * here. A later release drops it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table purchase_identifier (
      operation text not null,
      payer text not null,
      owner text not null,
      id text not null,
      fingerprint text not null,
      payment_key text not null,
      created_at timestamptz not null,
      primary key (operation, payer, owner, id)
    )`.execute(db)
  // The third part of a payment key is the payer, in lower case like the whole key.
  await sql`
    insert into purchase_identifier (operation, payer, owner, id, fingerprint, payment_key, created_at)
    select operation, split_part(payment_key, '/', 3), '', id, fingerprint, payment_key, created_at
    from payment_identifier`.execute(db)
  await sql`
    create function note_purchase_identifier() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into purchase_identifier (operation, payer, owner, id, fingerprint, payment_key, created_at)
      values (new.operation, split_part(new.payment_key, '/', 3), '', new.id, new.fingerprint, new.payment_key, new.created_at)
      on conflict (operation, payer, owner, id) do update set payment_key = excluded.payment_key;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_purchase_identifier after insert or update on payment_identifier for each row
      execute function note_purchase_identifier()`.execute(db)
}
