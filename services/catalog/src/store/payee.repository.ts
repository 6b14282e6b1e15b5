import { sql } from 'kysely'
import { lockPayees } from './locks.ts'
import type { CatalogTx, PayeeClaimTable, PayeeTable } from './tables.ts'

/** Notes where a listing asks to be paid; of several claims of one address the earliest counts. */
export async function claimPayees(tx: CatalogTx, claims: readonly PayeeClaimTable[]): Promise<void> {
  if (claims.length === 0) return
  await tx
    .insertInto('payee_claim')
    .values([...claims])
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'address', 'slug'])
        .doUpdateSet({ since: sql<Date>`least(payee_claim.since, excluded.since)` }),
    )
    .execute()
}

/**
 * Gives every address that the listing ever claimed to the one listing it belongs to, with the settlements that were
 * seen. Among several claimants the ones that are not removed come first, then the better group, then the earlier claim.
 */
export async function attribute(tx: CatalogTx, slug: string): Promise<void> {
  const claimed = await tx.selectFrom('payee_claim').select(['network', 'address']).where('slug', '=', slug).execute()
  if (claimed.length === 0) return
  await lockPayees(tx, claimed)
  const { rows: moved } = await sql<PayeeTable>`
    insert into payee (network, address, slug)
    select distinct on (claim.network, claim.address) claim.network, claim.address, claim.slug
    from payee_claim own
      join payee_claim claim on claim.network = own.network and claim.address = own.address
      join listing on listing.slug = claim.slug
    where own.slug = ${slug}
    order by claim.network, claim.address, listing.removed, listing.group_rank, claim.since, claim.slug
    on conflict (network, address) do update set slug = excluded.slug where payee.slug <> excluded.slug
    returning network, address, slug`.execute(tx)
  for (const { network, address, slug: winner } of moved) {
    await tx
      .updateTable('settlement')
      .set({ slug: winner })
      .where('network', '=', network)
      .where('pay_to', '=', address)
      .execute()
  }
}
