import type { NamedPayment, Sequenced } from '@callboard/contract'
import { sql } from 'kysely'
import type { CatalogTx } from './tables.ts'

/** Records what payments named; of several events about one payment, the latest counts. The caller locks them. */
export async function keepResources(tx: CatalogTx, named: readonly Sequenced<NamedPayment>[]): Promise<void> {
  if (named.length === 0) return
  await sql`
    insert into payment_resource (network, asset, payer, nonce, resource, sequence)
    select network, asset, payer, nonce, resource, sequence
    from json_to_recordset(${JSON.stringify(named)}::json) as one (
      network text, asset text, payer text, nonce text, resource text, sequence bigint)
    on conflict (network, asset, payer, nonce) do update
      set resource = excluded.resource, sequence = excluded.sequence
      where payment_resource.sequence < excluded.sequence`.execute(tx)
}
