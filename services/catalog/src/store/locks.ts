import { sql } from 'kysely'
import type { CatalogTx, PayeeClaimTable, PaymentResourceTable } from './tables.ts'

/**
 * Events of one thing come through several consumers and in any order, so what is not there yet has to be locked too:
 * by name, until the transaction ends. Always in this order: a listing, then payees by name; a settlement, then its payment, then a payee.
 */
const exclusively = (tx: CatalogTx, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`catalog:${name}`}, 0))`.execute(tx)

const payeeName = ({ network, address }: Payee) => `payee:${network}:${address}`

export type Payee = Readonly<Pick<PayeeClaimTable, 'network' | 'address'>>

/** What an authorization is named by, before and after it is settled. */
export type Payment = Readonly<Pick<PaymentResourceTable, 'network' | 'asset' | 'payer' | 'nonce'>>

export const lockListing = (tx: CatalogTx, slug: string) => exclusively(tx, `listing:${slug}`)

export const lockSettlement = (tx: CatalogTx, { network, txHash }: { network: string; txHash: string }) =>
  exclusively(tx, `settlement:${network}:${txHash}`)

/** A consumer that observes a payment and one that learns what it named see each other's work. */
export const lockPayment = (tx: CatalogTx, { network, asset, payer, nonce }: Payment) =>
  exclusively(tx, `payment:${network}:${asset}:${payer}:${nonce}`)

/** For changing to whom the settlements of these payees belong. */
export async function lockPayees(tx: CatalogTx, payees: readonly Payee[]): Promise<void> {
  for (const name of payees.map(payeeName).sort()) await exclusively(tx, name)
}

/** For writing a settlement: many at once, but none while its payee changes hands. */
export const sharePayee = (tx: CatalogTx, payee: Payee) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${`catalog:${payeeName(payee)}`}, 0))`.execute(tx)
