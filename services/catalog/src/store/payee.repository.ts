import { type RawBuilder, sql } from 'kysely'
import { lockPayees } from './locks.ts'
import type { AskedPriceTable, CatalogTx, PayeeClaimTable } from './tables.ts'

/**
 * Notes where a listing asks to be paid, and how much; of several claims of one address the earliest counts.
 * @returns whether any of it was new
 */
export async function claimPayees(
  tx: CatalogTx,
  claims: readonly PayeeClaimTable[],
  prices: readonly AskedPriceTable[],
): Promise<boolean> {
  let added = 0
  if (claims.length > 0) {
    const rows = await tx
      .insertInto('payee_claim')
      .values([...claims])
      .onConflict((conflict) =>
        conflict
          .columns(['network', 'address', 'slug'])
          .doUpdateSet({ since: sql<Date>`excluded.since` })
          .where(sql<boolean>`excluded.since < payee_claim.since`),
      )
      .returning('slug')
      .execute()
    added += rows.length
  }
  if (prices.length > 0) {
    const rows = await tx
      .insertInto('asked_price')
      .values([...prices])
      .onConflict((conflict) => conflict.doNothing())
      .returning('slug')
      .execute()
    added += rows.length
  }
  return added > 0
}

/** A settlement's payee and amount, as columns or as values. */
export interface Paid {
  readonly network: RawBuilder<string>
  readonly payTo: RawBuilder<string>
  readonly amountUsd: RawBuilder<string>
}

/**
 * The listing to which a settlement belongs, null while nobody claims its payee. The chain knows no URL, and listings of
 * one wallet share their splitter: so among several claimants those come first that ever asked this very amount, then
 * those that are not removed, then the better group, then the earlier claim.
 */
export const ownerOf = ({ network, payTo, amountUsd }: Paid): RawBuilder<string | null> => sql<string | null>`(
  select claim.slug
  from payee_claim claim join listing on listing.slug = claim.slug
  where claim.network = ${network} and claim.address = ${payTo}
  order by not exists (
      select from asked_price price
      where price.slug = claim.slug and price.network = ${network} and price.amount_usd = ${amountUsd}
    ), listing.removed, listing.group_rank, claim.since, claim.slug
  limit 1)`

/** Gives the settlements of every payee that the listing ever claimed to whom they belong now. */
export async function attribute(tx: CatalogTx, slug: string): Promise<void> {
  const claimed = await tx.selectFrom('payee_claim').select(['network', 'address']).where('slug', '=', slug).execute()
  if (claimed.length === 0) return
  await lockPayees(tx, claimed)
  const owner = ownerOf({
    network: sql.ref('paid.network'),
    payTo: sql.ref('paid.pay_to'),
    amountUsd: sql.ref('paid.amount_usd'),
  })
  for (const { network, address } of claimed) {
    // The payee is asked for again in the outer condition: a settlement may be moved to another one while we wait for it.
    await sql`
      update settlement set slug = owned.slug
      from (select network, tx_hash, log_index, ${owner} as slug
            from settlement paid where network = ${network} and pay_to = ${address}) owned
      where settlement.network = owned.network and settlement.tx_hash = owned.tx_hash
        and settlement.log_index = owned.log_index and settlement.slug is distinct from owned.slug
        and settlement.network = ${network} and settlement.pay_to = ${address}`.execute(tx)
  }
}
