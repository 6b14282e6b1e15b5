import { resourceOf } from '@callboard/contract'
import { type Address, lookAlikeKey } from '@callboard/values'
import { siteOf } from '@callboard/values/site'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { ListingPlace } from '../domain/listing-cursor.ts'
import { verificationOf } from '../domain/mirror/held-row.ts'
import type { Mirrored, MirrorMethod, MirrorState } from '../domain/mirror/mirrored.ts'
import type { ListingsDb, ListingsTx, MirroredTable } from './tables.ts'

const mirroredOf = (row: Selectable<MirroredTable>): Mirrored => ({
  slug: row.slug,
  version: row.version,
  method: row.method,
  url: row.url,
  claim: row.claim,
  claimSource: row.claim_source,
  fact: row.fact,
  terms: row.terms,
  state: row.state,
  stateSince: row.state_since.getTime(),
  reason: row.reason,
  okAt: row.ok_at?.getTime() ?? null,
  owner: row.owner,
  ownedSince: row.owned_since?.getTime() ?? null,
  takenDown: row.taken_down,
  held: row.held,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  unnamedSince: row.unnamed_since?.getTime() ?? null,
})

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

/** The columns of a row that can change. */
const mutableColumns = (row: Mirrored) => ({
  version: row.version,
  state: row.state,
  state_since: new Date(row.stateSince),
  reason: row.reason,
  claim: JSON.stringify(row.claim),
  claim_source: row.claimSource,
  fact: row.fact && JSON.stringify(row.fact),
  terms: row.terms && JSON.stringify(row.terms),
  ok_at: dateOf(row.okAt),
  owner: row.owner,
  owned_since: dateOf(row.ownedSince),
  taken_down: row.takenDown ? JSON.stringify(row.takenDown) : null,
  held: row.held ? JSON.stringify(row.held) : null,
  updated_at: new Date(row.updatedAt),
  unnamed_since: dateOf(row.unnamedSince),
})

/** A statement has places for 65,535 parameters, and a page of a source may name thousands of resources. */
const ROWS_AT_ONCE = 1_000

/** Inserts rows whose slugs and resources are free, which `lockMirror` guarantees. */
export async function insertMirrored(tx: ListingsTx, rows: readonly Mirrored[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const values = rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({
      ...mutableColumns(row),
      slug: row.slug,
      method: row.method,
      url: row.url,
      resource: resourceOf(row.url),
      origin: new URL(row.url).origin,
      site: siteOf(row.url),
      created_at: new Date(row.createdAt),
    }))
    await tx.insertInto('mirrored').values(values).execute()
  }
}

/** Writes a row that is locked. */
export const saveMirrored = (tx: ListingsTx, row: Mirrored) =>
  tx.updateTable('mirrored').set(mutableColumns(row)).where('slug', '=', row.slug).execute()

export const deleteMirrored = (tx: ListingsTx, slugs: readonly string[]) =>
  tx.deleteFrom('mirrored').where('slug', 'in', slugs).execute()

export async function findMirrored(db: ListingsDb, slug: string): Promise<Mirrored | undefined> {
  const row = await db.selectFrom('mirrored').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && mirroredOf(row)
}

/** A row, locked until the commit. */
export async function lockMirrored(tx: ListingsTx, slug: string): Promise<Mirrored | undefined> {
  const row = await tx.selectFrom('mirrored').selectAll().where('slug', '=', slug).forNoKeyUpdate().executeTakeFirst()
  return row && mirroredOf(row)
}

/** Rows, locked in one order until the commit. */
export async function lockAllMirrored(tx: ListingsTx, slugs: readonly string[]): Promise<Mirrored[]> {
  const query = tx
    .selectFrom('mirrored')
    .selectAll()
    .where('slug', '=', sql<string>`any(${[...slugs]}::text[])`)
  return (await query.orderBy('slug').forNoKeyUpdate().execute()).map(mirroredOf)
}

export async function rowsOfOrigin(db: ListingsDb, origin: string): Promise<Mirrored[]> {
  const rows = await db.selectFrom('mirrored').selectAll().where('origin', '=', origin).orderBy('slug').execute()
  return rows.map(mirroredOf)
}

/** The rows of an origin, locked in one order until the commit. */
export async function lockOrigin(tx: ListingsTx, origin: string): Promise<Mirrored[]> {
  const query = tx.selectFrom('mirrored').selectAll().where('origin', '=', origin).orderBy('slug')
  return (await query.forNoKeyUpdate().execute()).map(mirroredOf)
}

/** A row of this owner; those of others appear not to exist. */
export async function findHeld(db: ListingsDb, slug: string, owner: Address): Promise<Mirrored | undefined> {
  const row = await findMirrored(db, slug)
  return row?.owner === owner ? row : undefined
}

/** The rows that an owner claimed, after a place, oldest first. */
export async function heldBy(db: ListingsDb, owner: Address, limit: number, after?: ListingPlace): Promise<Mirrored[]> {
  const rows = await db
    .selectFrom('mirrored')
    .selectAll()
    .where('owner', '=', owner)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(created_at, slug) > (${new Date(after?.createdAt ?? 0)}, ${after?.slug})`),
    )
    .orderBy('created_at')
    .orderBy('slug')
    .limit(limit)
    .execute()
  return rows.map(mirroredOf)
}

/** The rows of resources, locked in one order until the commit. */
export async function lockResources(
  tx: ListingsTx,
  resources: readonly { readonly method: MirrorMethod; readonly url: string }[],
): Promise<Mirrored[]> {
  const rows = await tx
    .selectFrom('mirrored')
    .selectAll()
    .where(
      sql<SqlBool>`(resource, method) in (
        select resource, method from unnest(
          ${resources.map(({ url }) => resourceOf(url))}::text[], ${resources.map(({ method }) => method)}::text[])
        as wanted (resource, method))`,
    )
    .orderBy('slug')
    .forNoKeyUpdate()
    .execute()
  return rows.map(mirroredOf)
}

/** The operator's verdict in force against a row or against its owner's part of it. */
const isJudged = sql<SqlBool>`(taken_down is not null or held ->> 'rejection' is not null)`

/**
 * The rows of URLs, of any method, locked in one order until the commit; not those that the operator rejected or
 * suspended.
 */
export async function lockListedResources(tx: ListingsTx, urls: readonly string[]): Promise<Mirrored[]> {
  const query = tx
    .selectFrom('mirrored')
    .selectAll()
    .where('resource', 'in', urls.map(resourceOf))
    .where(sql<SqlBool>`not ${isJudged}`)
    .orderBy('slug')
  return (await query.forNoKeyUpdate().execute()).map(mirroredOf)
}

/** The rows that the operator rejected or suspended, of an owner or paying a wallet. */
export async function judgedRows(db: ListingsDb, owner: Address, wallet: Address): Promise<Mirrored[]> {
  const rows = await db
    .selectFrom('mirrored')
    .selectAll()
    .where(isJudged)
    .where(
      sql<SqlBool>`(owner = ${owner} or exists (
        select from jsonb_array_elements(terms) term where lower(term ->> 'payTo') = lower(${wallet})))`,
    )
    .orderBy('slug')
    .execute()
  return rows.map(mirroredOf)
}

/**
 * Rows whose time is over. `unread`: payable, not read by a probe since. `unnamed`: not named by a source since.
 * `held`: suspended, and neither named nor reviewed since. The last two only without an owner, and not if the operator
 * suspended it. Named again, a removed row would be back under whatever terms it then asks.
 */
export type Overdue = 'unread' | 'unnamed' | 'held'

/** Overdue rows, locked in one order; those locked by other transactions are skipped. */
export async function lockOverdue(tx: ListingsTx, overdue: Overdue, since: Date, limit: number): Promise<Mirrored[]> {
  const all = tx.selectFrom('mirrored').selectAll()
  const unnamed = all.where('unnamed_since', '<', since).where('owner', 'is', null).where('taken_down', 'is', null)
  const query = {
    unread: all.where('state', '=', 'payable').where('ok_at', '<', since),
    unnamed: unnamed.where('state', '<>', 'suspended'),
    held: unnamed.where('state', '=', 'suspended').where('state_since', '<', since),
  }[overdue]
  const rows = await query.orderBy('slug').limit(limit).forNoKeyUpdate().skipLocked().execute()
  return rows.map(mirroredOf)
}

/** How many rows are in each state. */
export async function countByState(db: ListingsDb): Promise<Map<MirrorState, number>> {
  const { rows } = await sql<{ state: MirrorState; count: number }>`
    select state, count(*)::integer as count from mirrored group by state`.execute(db)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

/** Locks the total of rows until the commit: of two concurrent imports, one waits for the other's batch. */
export const lockMirror = (tx: ListingsTx) =>
  sql`select pg_advisory_xact_lock(hashtextextended('listings:mirror', 0))`.execute(tx)

/** How many rows there are. */
export async function countMirrored(db: ListingsDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from mirrored`.execute(db)
  return rows[0]?.count ?? 0
}

/** How many rows each of these sites has. */
export async function countOnSites(db: ListingsDb, sites: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ site: string; count: number }>`
    select site, count(*)::integer as count from mirrored where site = any(${[...sites]}::text[]) group by site`.execute(
    db,
  )
  return new Map(rows.map(({ site, count }) => [site, count]))
}

/** Which of these slugs mirrored rows have. */
export async function takenByMirror(db: ListingsDb, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('mirrored').select('slug').where('slug', 'in', slugs).execute()
  return new Set(rows.map(({ slug }) => slug))
}

/** Which of these slugs listings have or had. */
export async function takenByListing(db: ListingsDb, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('listing').select('slug').where('slug', 'in', slugs).execute()
  return new Set(rows.map(({ slug }) => slug))
}

/**
 * The owners and names of the claimed rows that are verified now. What the operator verified is stored in a row, but
 * other words, other terms or a suspension end it without a verdict, so each row is judged as it is.
 * @param owner only this owner's
 */
export async function verifiedRows(
  db: ListingsDb,
  owner?: Address,
): Promise<{ readonly owner: Address; readonly name: string }[]> {
  const rows = await db
    .selectFrom('mirrored')
    .select(['owner', 'state', 'held', 'claim', 'fact', 'terms', 'method', 'url', 'taken_down as takenDown'])
    .where(sql<string>`held ->> 'verification'`, '=', 'verified')
    .where('state', '<>', 'suspended')
    .$if(owner !== undefined, (query) => query.where('owner', '=', owner ?? null))
    .execute()
  return rows.flatMap((row) =>
    row.owner && row.held && verificationOf(row) === 'verified' ? { owner: row.owner, name: row.held.name } : [],
  )
}

/** Which of these keys belong to the names of verified listings. */
export async function verifiedNameKeys(db: ListingsDb, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('listing')
    .select('name')
    .where('verification', '=', 'verified')
    .where((row) => row.or([row('name_key', 'in', keys), row('name_key_of', 'is distinct from', row.ref('name'))]))
    .execute()
  const wanted = new Set(keys)
  const names = [...rows, ...(await verifiedRows(db))].map(({ name }) => lookAlikeKey(name))
  return new Set(names.filter((key) => wanted.has(key)))
}

/** The endpoints of live listings that have an endpoint on these sites. */
export async function listedOn(db: ListingsDb, sites: readonly string[]): Promise<{ method: string; url: string }[]> {
  const { rows } = await sql<{ method: string; url: string }>`
    select operation ->> 'method' as method, operation ->> 'url' as url
    from listing, jsonb_array_elements(operations) operation
    where status = 'live' and withdrawn_at is null and sites && ${[...sites]}::text[]`.execute(db)
  return rows
}
