import { sql } from 'kysely'
import { lockPayment, type Payee, type Payment } from './locks.ts'
import { attributePayment } from './payee.repository.ts'
import type { CatalogTx } from './tables.ts'

/**
 * Notes what a payment named, and gives its settlement, where it was observed before, to whom it belongs then.
 * @param sequence of the event: of several about one payment the latest counts
 */
export async function keepResource(
  tx: CatalogTx,
  {
    network,
    asset,
    payer,
    nonce,
    payTo,
    resource,
  }: Payment & { readonly payTo: Payee['address']; readonly resource: string },
  sequence: number,
): Promise<void> {
  const payment = { network, asset, payer, nonce }
  await lockPayment(tx, payment)
  await sql`
    insert into payment_resource (network, asset, payer, nonce, resource, sequence)
    values (${network}, ${asset}, ${payer}, ${nonce}, ${resource}, ${sequence})
    on conflict (network, asset, payer, nonce) do update
      set resource = excluded.resource, sequence = excluded.sequence
      where payment_resource.sequence < excluded.sequence`.execute(tx)
  await attributePayment(tx, payment, { network, address: payTo })
}

/** What a payment named when our facilitator settled it; undefined while nothing is known of it. */
export async function resourceNamed(
  tx: CatalogTx,
  { network, asset, payer, nonce }: Payment,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('payment_resource')
    .select('resource')
    .where('network', '=', network)
    .where('asset', '=', asset)
    .where('payer', '=', payer)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  return row?.resource
}
