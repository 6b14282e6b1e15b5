import { type Kysely, sql } from 'kysely'

/**
 * From which confirmation a payment counts, and the states `preconfirmed` and `safe`, which widen the partial indexes.
 *
 * Claims by a replica of the previous release are `included`, as before. It answers payments in the new states with
 * `settlement_pending`, and does not run them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payment
      add column confirmation text not null default 'included',
      add column preconfirmed_tx text`.execute(db)
  await sql`
    create index payment_reserved on payment (network, asset, payer)
      where state in ('signed', 'broadcast', 'preconfirmed')`.execute(db)
  await sql`drop index payment_in_flight`.execute(db)
  await sql`
    create index payment_reserved_by_transaction on payment (tx_hash)
      where state in ('signed', 'broadcast', 'preconfirmed')`.execute(db)
  await sql`drop index payment_by_transaction`.execute(db)
  await sql`
    create index payment_with_outcome on payment (network, block_number)
      where state in ('preconfirmed', 'mined', 'safe', 'reverted')`.execute(db)
  await sql`drop index payment_watched`.execute(db)
}
