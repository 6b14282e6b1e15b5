import { type AskedPrice, type Credit, creditOf, type PayeeClaim, PRICE_GRACE_MS } from '@callboard/contract'
import { type Insertable, type RawBuilder, type SqlBool, sql } from 'kysely'
import { groupAt } from '../domain/ranking.ts'
import { lockPayees, type Payee, type Payment, sharePayee } from './locks.ts'
import type { AskedTable, CatalogTx, PayeeClaimTable, SettlementTable } from './tables.ts'

/**
 * Notes where a listing asks to be paid; of several claims of one address the earliest counts.
 * @returns whether any of it was new
 */
export async function claimPayees(tx: CatalogTx, claims: readonly PayeeClaimTable[]): Promise<boolean> {
  if (claims.length === 0) return false
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
  return rows.length > 0
}

/** Notes what a version of a listing asks. @returns whether it was new */
export async function keepAsked(tx: CatalogTx, asked: Insertable<AskedTable>): Promise<boolean> {
  const rows = await tx
    .insertInto('asked')
    .values(asked)
    .onConflict((conflict) => conflict.doNothing())
    .returning('slug')
    .execute()
  return rows.length > 0
}

/**
 * Who claims a payee, and what each asked.
 * @param at milliseconds: only what can have been asked at this moment is read, which is all that the rule looks at
 */
export async function claimsOf(tx: CatalogTx, { network, address }: Payee, at?: number): Promise<PayeeClaim[]> {
  const claims = await tx
    .selectFrom('payee_claim as claim')
    .innerJoin('listing', 'listing.slug', 'claim.slug')
    .leftJoin('listing_removal as removal', 'removal.slug', 'claim.slug')
    .select(['claim.slug', 'claim.since', 'listing.removed', 'listing.group_rank'])
    .select(['removal.version as removed_version', 'removal.removed_at'])
    .where('claim.network', '=', network)
    .where('claim.address', '=', address)
    .execute()
  if (claims.length === 0) return []
  const slugs = claims.map(({ slug }) => slug)
  const isAround =
    at === undefined
      ? sql<SqlBool>`true`
      : sql<SqlBool>`since <= ${new Date(at + PRICE_GRACE_MS)} and version >= coalesce((
          select max(version) from asked before
          where before.slug = asked.slug and since < ${new Date(at - PRICE_GRACE_MS)}), 0)`
  const asked = await tx.selectFrom('asked').selectAll().where('slug', 'in', slugs).where(isAround).execute()
  const bySlug = Map.groupBy(asked, ({ slug }) => slug)
  return claims.map(({ slug, since, removed, group_rank, removed_version, removed_at }) => ({
    slug,
    removed,
    group: groupAt(group_rank),
    since: since.getTime(),
    asked: [
      // It asks nothing from its removal on; first, since it stands after the snapshot of the same version.
      ...(removed_at ? [{ version: removed_version ?? 0, since: removed_at.getTime(), prices: [] }] : []),
      ...(bySlug.get(slug) ?? []).map((row) => ({ ...row, since: row.since.getTime() })),
    ],
  }))
}

/** How many settlements are decided on at once. */
const PAGE = 2_000

interface Held
  extends AskedPrice,
    Pick<SettlementTable, 'tx_hash' | 'log_index' | 'observed_at' | 'slug' | 'kind' | 'shared_with'> {
  readonly resource: string | null
}

/** The column of a settlement's sharers. */
export const sharedColumn = (credit: Pick<Credit, 'sharedWith'> | undefined): string[] | null =>
  credit && credit.sharedWith.length > 0 ? [...credit.sharedWith] : null

/**
 * Gives the settlements of every payee that the listing ever claimed to whom they belong now, as what they are.
 * @param since only those of this moment of the chain and later
 */
export async function attribute(tx: CatalogTx, slug: string, since?: Date): Promise<void> {
  const claimed = await tx.selectFrom('payee_claim').select(['network', 'address']).where('slug', '=', slug).execute()
  if (claimed.length === 0) return
  await lockPayees(tx, claimed)
  for (const payee of claimed) {
    const claims = await claimsOf(tx, payee)
    let after: Held | undefined
    do {
      const held: Held[] = await settlementsOf(tx, payee, since, after)
      await credit(tx, payee, held, claims)
      after = held.length === PAGE ? held.at(-1) : undefined
    } while (after)
  }
}

/** Gives the settlements of one payment to whom they belong now. The caller holds the payment's lock. */
export async function attributePayment(tx: CatalogTx, { payer, asset, nonce }: Payment, payee: Payee): Promise<void> {
  await sharePayee(tx, payee)
  const held = await heldBy(
    tx,
    sql`settlement.network = ${payee.network} and pay_to = ${payee.address} and settlement.payer = ${payer}
      and settlement.asset = ${asset} and settlement.nonce = ${nonce} order by tx_hash, log_index`,
  )
  if (held.length > 0) await credit(tx, payee, held, await claimsOf(tx, payee))
}

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

async function credit(
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
  // The payee is asked for again: a settlement may be moved to another one while we wait for it.
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
