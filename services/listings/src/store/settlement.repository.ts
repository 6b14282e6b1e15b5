import type { Credit } from '@callboard/contract'
import { type Address, type Caip2, DAY_MS, type Hex } from '@callboard/values'
import { type Selectable, type SqlBool, sql } from 'kysely'
import { noPart, noTotals, type Totals, type TotalsPart } from '../domain/views.ts'
import type { ListingsDb, ListingsTx, PaymentResourceTable, SettlementTable } from './tables.ts'

/** Records settlements; one that reappears in another block after a reorganization is the same settlement. */
export async function putSettlements(tx: ListingsTx, settlements: readonly SettlementTable[]): Promise<void> {
  if (settlements.length === 0) return
  await sql`
    insert into settlement (network, tx_hash, log_index, block_hash, slug, kind, shared_with, payer, nonce, amount, observed_at)
    select network, tx_hash, log_index, block_hash, slug, kind, shared_with, payer, nonce, amount, observed_at
    from json_to_recordset(${JSON.stringify(settlements)}::json) as one (
      network text, tx_hash text, log_index integer, block_hash text, slug text, kind text, shared_with text[],
      payer text, nonce text, amount numeric, observed_at timestamptz)
    on conflict (network, tx_hash, log_index) do update
      set block_hash = excluded.block_hash, observed_at = excluded.observed_at, slug = excluded.slug,
          kind = excluded.kind, shared_with = excluded.shared_with, payer = excluded.payer, nonce = excluded.nonce`.execute(
    tx,
  )
}

/** Deletes a settlement, unless it is in another block by now. */
export const revertSettlement = (
  tx: ListingsTx,
  {
    network,
    tx_hash,
    log_index,
    block_hash,
  }: Pick<SettlementTable, 'network' | 'tx_hash' | 'log_index' | 'block_hash'>,
) =>
  tx
    .deleteFrom('settlement')
    .where('network', '=', network)
    .where('tx_hash', '=', tx_hash)
    .where('log_index', '=', log_index)
    .where('block_hash', '=', block_hash)
    .execute()

/**
 * The totals of listings by slug; a listing without settlements is absent. Settlements that several listings share are
 * in `shared` of each of them, and nowhere else.
 */
export async function totalsOf(db: ListingsDb, slugs: readonly string[], now: number): Promise<Map<string, Totals>> {
  if (slugs.length === 0) return new Map()
  const since = new Date(now - 7 * DAY_MS)
  const wanted = sql`${[...slugs]}::text[]`
  const { rows } = await sql<Sums>`
    select listed as slug, shared_with is not null as shared,
           count(*) filter (where kind = 'call') as calls,
           count(*) filter (where kind = 'call' and observed_at >= ${since}) as "callsLast7d",
           count(*) filter (where kind = 'transfer') as transfers,
           coalesce(sum(amount) filter (where kind = 'call'), 0) as amount,
           coalesce(sum(amount) filter (where kind = 'call' and observed_at >= ${since}), 0) as "amountLast7d",
           coalesce(sum(amount) filter (where kind = 'transfer'), 0) as "amountTransferred"
    from (select slug as listed, settlement.* from settlement where slug = any(${wanted})
          union all
          select listed, settlement.* from settlement cross join unnest(shared_with) as listed
          where shared_with is not null and shared_with && ${wanted} and listed = any(${wanted})) settled
    group by listed, shared_with is not null`.execute(db)
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return new Map([...bySlug].map(([slug, sums]) => [slug, totals(sums)]))
}

interface Sums {
  slug: string
  shared: boolean
  calls: number
  callsLast7d: number
  transfers: number
  /** Numeric as text, like the other amounts. */
  amount: string
  amountLast7d: string
  amountTransferred: string
}

const totals = (sums: readonly Sums[]): Totals => ({
  ...partOf(sums.find(({ shared }) => !shared)),
  shared: partOf(sums.find(({ shared }) => shared)),
})

const partOf = (sums: Sums | undefined): TotalsPart =>
  sums
    ? {
        calls: sums.calls,
        callsLast7d: sums.callsLast7d,
        amount: BigInt(sums.amount),
        amountLast7d: BigInt(sums.amountLast7d),
        transfers: sums.transfers,
        amountTransferred: BigInt(sums.amountTransferred),
      }
    : noPart

export const totalsOfOne = async (db: ListingsDb, slug: string, now: number): Promise<Totals> =>
  (await totalsOf(db, [slug], now)).get(slug) ?? noTotals

/** The identity of an authorization of the chain's USDC. */
export interface PaymentKey {
  readonly network: Caip2
  readonly payer: Address
  readonly nonce: Hex
}

/** A settlement with the resource that its payment named; null if unknown. */
export interface HeldSettlement extends Selectable<SettlementTable> {
  readonly resource: string | null
}

const held = (tx: ListingsTx) =>
  tx
    .selectFrom('settlement')
    .leftJoin('payment_resource', (join) =>
      join
        .onRef('payment_resource.network', '=', 'settlement.network')
        .onRef('payment_resource.payer', '=', 'settlement.payer')
        .onRef('payment_resource.nonce', '=', 'settlement.nonce'),
    )
    .selectAll('settlement')
    .select('payment_resource.resource')

/** The settlements of a splitter since a time on the chain. */
export const settlementsSince = (
  tx: ListingsTx,
  network: Caip2,
  splitter: Address,
  since: Date,
): Promise<HeldSettlement[]> =>
  held(tx)
    .innerJoin('listing', 'listing.slug', 'settlement.slug')
    .where('settlement.network', '=', network)
    .where('listing.splitter_address', '=', splitter)
    .where('observed_at', '>=', since)
    .execute()

/** Records what payments named; of several events about one payment, the latest counts. */
export async function putResources(tx: ListingsTx, named: readonly PaymentResourceTable[]): Promise<void> {
  if (named.length === 0) return
  await sql`
    insert into payment_resource (network, payer, nonce, resource, sequence)
    select network, payer, nonce, resource, sequence
    from json_to_recordset(${JSON.stringify(named)}::json) as one (
      network text, payer text, nonce text, resource text, sequence bigint)
    on conflict (network, payer, nonce) do update
      set resource = excluded.resource, sequence = excluded.sequence
      where payment_resource.sequence < excluded.sequence`.execute(tx)
}

const wantedPayments = (payments: readonly PaymentKey[]) => sql`
  select network, payer, nonce from unnest(
    ${payments.map(({ network }) => network)}::text[], ${payments.map(({ payer }) => payer)}::text[],
    ${payments.map(({ nonce }) => nonce)}::text[]) as wanted (network, payer, nonce)`

/** The settlements of payments: several of one payment after a reorganization. */
export const settlementsOf = (tx: ListingsTx, payments: readonly PaymentKey[]): Promise<HeldSettlement[]> =>
  held(tx)
    .where(sql<SqlBool>`(settlement.network, settlement.payer, settlement.nonce) in (${wantedPayments(payments)})`)
    .execute()

/** The resources that payments named, where known. */
export const resourcesNamed = (
  tx: ListingsTx,
  payments: readonly PaymentKey[],
): Promise<(PaymentKey & { readonly resource: string })[]> =>
  tx
    .selectFrom('payment_resource')
    .select(['network', 'payer', 'nonce', 'resource'])
    .where(sql<SqlBool>`(network, payer, nonce) in (${wantedPayments(payments)})`)
    .execute()

/** The column of a settlement's sharers. */
export const sharedColumn = ({ sharedWith }: Pick<Credit, 'sharedWith'>): string[] | null =>
  sharedWith.length > 0 ? [...sharedWith] : null

/** Updates the attribution of a settlement. */
export const creditSettlement = (
  tx: ListingsTx,
  { network, tx_hash, log_index }: Pick<SettlementTable, 'network' | 'tx_hash' | 'log_index'>,
  credit: Pick<SettlementTable, 'slug' | 'kind' | 'shared_with'>,
) =>
  tx
    .updateTable('settlement')
    .set(credit)
    .where('network', '=', network)
    .where('tx_hash', '=', tx_hash)
    .where('log_index', '=', log_index)
    .execute()
