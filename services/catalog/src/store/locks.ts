import { sql } from 'kysely'
import type { CatalogTx, PayeeClaimTable, PaymentResourceTable } from './tables.ts'

/**
 * Events about one thing come through several consumers, in any order, so missing rows are locked too: by name, until
 * the transaction ends. Always in this order: a listing, payees by name; a settlement, its payment, a payee.
 */
const exclusively = (tx: CatalogTx, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`catalog:${name}`}, 0))`.execute(tx)

/** A payee as one text. */
export const payeeName = ({ network, address }: Payee): string => `payee:${network}:${address}`

export type Payee = Readonly<Pick<PayeeClaimTable, 'network' | 'address'>>

/** The identity of an authorization, before and after it is settled. */
export type Payment = Readonly<Pick<PaymentResourceTable, 'network' | 'asset' | 'payer' | 'nonce'>>

export const lockListing = (tx: CatalogTx, slug: string) => exclusively(tx, `listing:${slug}`)

const settlementName = ({ network, txHash }: { readonly network: string; readonly txHash: string }) =>
  `settlement:${network}:${txHash}`

const paymentName = ({ network, asset, payer, nonce }: Payment) => `payment:${network}:${asset}:${payer}:${nonce}`

/**
 * For writes about settlements and payments. Whoever observes a payment and whoever learns its named resource see each
 * other's work; many settlements of a payee are written at once, but none while it changes hands.
 */
export async function lockPayments(
  tx: CatalogTx,
  {
    settlements,
    payments,
    payees,
  }: {
    readonly settlements: readonly { readonly network: string; readonly txHash: string }[]
    readonly payments: readonly Payment[]
    readonly payees: readonly Payee[]
  },
): Promise<void> {
  const inOrder = (names: readonly string[]) => [...new Set(names)].sort()
  const own = [...inOrder(settlements.map(settlementName)), ...inOrder(payments.map(paymentName))]
  const shared = inOrder(payees.map(payeeName))
  const names = [...own, ...shared].map((name) => `catalog:${name}`)
  await sql`
    select case when place <= ${own.length} then pg_advisory_xact_lock(hashtextextended(name, 0))
                else pg_advisory_xact_lock_shared(hashtextextended(name, 0)) end
    from unnest(${names}::text[]) with ordinality as lock (name, place)`.execute(tx)
}

/** For writes about the agents of a registry: the agent that a log concerns may change with its block. */
export const lockAgents = (
  tx: CatalogTx,
  { network, registry }: { readonly network: string; readonly registry: string },
) => exclusively(tx, `agents:${network}:${registry}`)

/** For changing the owner of these payees' settlements. */
export async function lockPayees(tx: CatalogTx, payees: readonly Payee[]): Promise<void> {
  for (const name of payees.map(payeeName).sort()) await exclusively(tx, name)
}
