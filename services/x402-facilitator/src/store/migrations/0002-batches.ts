import { type Kysely, sql } from 'kysely'

/**
 * A chain nonce carries one payment or many: `leg` says which, for every transaction that was ever signed for it, since
 * a replacement has the same calldata. `log_index` is where in its block a settled payment moved its money.
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
  await sql`alter table transaction drop column payment_key`.execute(db)
  await sql`alter table payment add column log_index bigint`.execute(db)
  await sql`create index payment_by_transaction on payment (tx_hash) where state in ('signed', 'broadcast')`.execute(db)
}
