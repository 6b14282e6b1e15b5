import { sql } from 'kysely'
import type { CatalogTx } from './tables.ts'

/**
 * Events of one thing come through several consumers and in any order, so what is not there yet has to be locked too:
 * by name, until the transaction ends. Always in this order: a listing, then payees by name; a settlement, then a payee.
 */
const exclusively = (tx: CatalogTx, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`catalog:${name}`}, 0))`.execute(tx)

const payeeName = ({ network, address }: Payee) => `payee:${network}:${address}`

export interface Payee {
  readonly network: string
  readonly address: string
}

export const lockListing = (tx: CatalogTx, slug: string) => exclusively(tx, `listing:${slug}`)

export const lockSettlement = (tx: CatalogTx, { network, txHash }: { network: string; txHash: string }) =>
  exclusively(tx, `settlement:${network}:${txHash}`)

/** For changing to whom the settlements of these payees belong. */
export async function lockPayees(tx: CatalogTx, payees: readonly Payee[]): Promise<void> {
  for (const name of payees.map(payeeName).sort()) await exclusively(tx, name)
}

/** For writing a settlement: many at once, but none while its payee changes hands. */
export const sharePayee = (tx: CatalogTx, payee: Payee) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${`catalog:${payeeName(payee)}`}, 0))`.execute(tx)
