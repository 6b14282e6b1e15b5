import { type Kysely, sql } from 'kysely'

const PLACE = sql`observed_at, network, block_number, log_index, tx_hash`

/**
 * The payments of a pair, and those that listings share, are read newest first; the indexes of 0010 and 0004 only find
 * them, so a page of a busy listing read all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index settlement_by_pair_in_order on settlement (pay_to, payer, ${PLACE}) where not reverted`.execute(db)
  for (const [name, columns] of [
    ['settlement_shared_in_order', sql`pay_to`],
    ['settlement_shared_by_pair', sql`payer, pay_to`],
  ] as const)
    await sql`
      create index ${sql.id(name)} on settlement (${columns}, ${PLACE})
        where shared_with is not null and slug is not null and not reverted`.execute(db)
  await sql`drop index settlement_by_pair`.execute(db)
}
