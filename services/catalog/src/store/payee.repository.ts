import { type AskedPrice, type Credit, creditOf, type PayeeClaim } from '@callboard/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { claimantsOf, claimsOf, ownClaims } from './claim.repository.ts'
import { lockPayees, type Payee, type Payment, payeeName } from './locks.ts'
import type { CatalogTx, SettlementTable } from './tables.ts'

/** How many settlements are attributed at once. */
const PAGE = 2_000

/** A stored settlement, with the resource that its payment named. */
export interface Held
  extends AskedPrice,
    Pick<SettlementTable, 'tx_hash' | 'log_index' | 'observed_at' | 'slug' | 'kind' | 'shared_with'> {
  readonly resource: string | null
}

/** The column of a settlement's sharers. */
export const sharedColumn = (credit: Pick<Credit, 'sharedWith'> | undefined): string[] | null =>
  credit && credit.sharedWith.length > 0 ? [...credit.sharedWith] : null

/**
 * Attributes the settlements of every payee that the listing ever claimed to their current owners. The claims of other
 * listings are read for existing settlements only, so that a payee of many listings and few settlements costs little.
 * @param since only those from this time on the chain; `beginning`: all, including those that cannot come to this
 * listing, if they may have been its own until now
 */
export async function attribute(tx: CatalogTx, slug: string, since?: Date | 'beginning'): Promise<void> {
  const claimed = await tx.selectFrom('payee_claim').select(['network', 'address']).where('slug', '=', slug).execute()
  if (claimed.length === 0) return
  await lockPayees(tx, claimed)
  for (const { movesFrom, ...payee } of await ownClaims(tx, slug)) {
    const from = since === 'beginning' ? undefined : latest(since, movesFrom)
    let held: readonly Held[] = await settlementsOf(tx, payee, from)
    if (held.length === 0) continue
    const claims = await claimsOf(tx, await claimantsOf(tx, [payee]), from && { from: from.getTime() })
    while (held.length > 0) {
      await credit(tx, payee, held, claims.get(payeeName(payee)) ?? [])
      held = held.length === PAGE ? await settlementsOf(tx, payee, from, held.at(-1)) : []
    }
  }
}

const latest = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.max(one.getTime(), other.getTime())) : (one ?? other)

function settlementsOf(tx: CatalogTx, { network, address }: Payee, since?: Date, after?: Held): Promise<Held[]> {
  const isWanted = since ? sql<SqlBool>`observed_at >= ${since}` : sql<SqlBool>`true`
  const isAfter = after
    ? sql<SqlBool>`(tx_hash, log_index) > (${after.tx_hash}, ${after.log_index})`
    : sql<SqlBool>`true`
  return heldBy(
    tx,
    sql`settlement.network = ${network} and pay_to = ${address} and ${isWanted} and ${isAfter}
      order by tx_hash, log_index limit ${PAGE}`,
  )
}

async function heldBy(tx: CatalogTx, condition: RawBuilder<unknown>): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select settlement.network, tx_hash, log_index, observed_at, settlement.asset, slug, kind, shared_with, resource,
           trim_scale(amount_usd)::text as "amountUsd"
    from settlement left join payment_resource as named
      on named.network = settlement.network and named.asset = settlement.asset and named.payer = settlement.payer
        and named.nonce = settlement.nonce
    where ${condition}`.execute(tx)
  return rows
}

/** What is already stored of a payment. */
export interface KnownPayment {
  readonly resource: string | null
  readonly held: readonly (Held & { readonly sequence: number })[]
}

/** What is stored of payments, in the order given. */
export async function knownPayments(
  tx: CatalogTx,
  payments: readonly (Payment & { readonly payTo: Payee['address'] })[],
): Promise<KnownPayment[]> {
  const column = (value: (payment: Payment & { readonly payTo: string }) => string) =>
    sql`${payments.map(value)}::text[]`
  const [payers, nonces] = [column(({ payer }) => payer), column(({ nonce }) => nonce)]
  const { rows } = await sql<Held & { place: number; sequence: number | null }>`
    select wanted.place, named.resource, settlement.network, tx_hash, log_index, observed_at, settlement.asset, slug, kind,
           shared_with, trim_scale(amount_usd)::text as "amountUsd", settlement.sequence
    from unnest(${column((one) => one.network)}, ${column((one) => one.asset)}, ${payers},
                ${nonces}, ${column((one) => one.payTo)}) with ordinality
           as wanted (network, asset, payer, nonce, pay_to, place)
    left join payment_resource as named
      on named.network = wanted.network and named.asset = wanted.asset and named.payer = wanted.payer
        and named.nonce = wanted.nonce
    left join settlement
      on settlement.payer = any(${payers}) and settlement.nonce = any(${nonces})
        and settlement.payer = wanted.payer and settlement.nonce = wanted.nonce and settlement.network = wanted.network
        and settlement.asset = wanted.asset and settlement.pay_to = wanted.pay_to`.execute(tx)
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return payments.map((_, at) => {
    const found = byPlace.get(at + 1) ?? []
    const held = found.flatMap((row) => (row.sequence === null ? [] : [{ ...row, sequence: row.sequence }]))
    return { resource: found[0]?.resource ?? null, held }
  })
}

/** Attributes settlements of a payee by these claims, with their kind. */
export async function credit(
  tx: CatalogTx,
  { network, address }: Payee,
  held: readonly Held[],
  claims: readonly PayeeClaim[],
) {
  const changed = held.flatMap((settlement) => {
    const credited = creditOf({ ...settlement, at: settlement.observed_at.getTime() }, claims)
    const { slug, kind } = credited ?? { slug: null, kind: settlement.kind }
    const shared = JSON.stringify(sharedColumn(credited) ?? [])
    const stands =
      slug === settlement.slug && kind === settlement.kind && shared === JSON.stringify(settlement.shared_with ?? [])
    return stands ? [] : [{ ...settlement, slug, kind, shared }]
  })
  if (changed.length === 0) return
  // The payee is compared again: a settlement may move to another one while we wait for the lock.
  await sql`
    update settlement set slug = one.slug, kind = one.kind,
      shared_with = nullif(array(select jsonb_array_elements_text(one.shared)), '{}')
    from unnest(
      ${changed.map(({ tx_hash }) => tx_hash)}::text[],
      ${changed.map(({ log_index }) => log_index)}::integer[],
      ${changed.map(({ slug }) => slug)}::text[],
      ${changed.map(({ kind }) => kind)}::text[],
      ${changed.map(({ shared }) => shared)}::jsonb[]
    ) as one (tx_hash, log_index, slug, kind, shared)
    where settlement.network = ${network} and settlement.tx_hash = one.tx_hash
      and settlement.log_index = one.log_index and settlement.pay_to = ${address}`.execute(tx)
}
