import { siteOf } from '@callboard/values/site'
import { sql } from 'kysely'
import type { ProberDb, ProberTx } from './tables.ts'

/** One replica's right to visit an origin; no other replica visits it until the lease ends or is released. */
export interface Lease {
  readonly origin: string
  readonly token: string
}

/** Which due origins to lease. */
interface Due {
  readonly now: number
  readonly token: string
  readonly limit: number
  readonly leaseMs: number
  /** Sites whose origins wait. */
  readonly fullSites: readonly string[]
}

/** Leases up to `limit` origins that are due, the most overdue first. Concurrent replicas get different ones. */
export async function leaseDueOrigins(db: ProberDb, { now, token, limit, leaseMs, fullSites }: Due): Promise<Lease[]> {
  const { rows } = await sql<{ origin: string }>`
    update origin set lease = ${token}, leased_until = now() + ${leaseMs} * interval '1 millisecond'
    where origin in (
      select origin from origin
      where next_due_at <= ${new Date(now)} and (leased_until is null or leased_until <= now())
        and (alone_until is null or alone_until <= now())
        and (site is null or site <> all(${[...fullSites]}::text[]))
      order by next_due_at limit ${limit} for update skip locked)
    returning origin`.execute(db)
  return rows.map(({ origin }) => ({ origin, token }))
}

/** The channel for the news that origins may be due sooner, or are free again. */
export const originsChannel = (schema: string): string => `origins_${schema}`

/**
 * Milliseconds until an origin comes due, or until one that is due is free, such as when a dead replica's lease ends.
 * @returns undefined if there is no origin
 */
export async function nextVisitMs(db: ProberDb, now: number): Promise<number | undefined> {
  const at = new Date(now)
  const { rows } = await sql<{ dueAt: Date | null; freeInMs: number | null }>`
    select (select min(next_due_at) from origin where next_due_at > ${at}) as "dueAt",
      (select (extract(epoch from min(greatest(leased_until, alone_until, now())) - now()) * 1000)::float8
       from origin where next_due_at <= ${at}) as "freeInMs"`.execute(db)
  const { dueAt = null, freeInMs = null } = rows[0] ?? {}
  const inMs = [...(dueAt ? [dueAt.getTime() - now] : []), ...(freeInMs === null ? [] : [freeInMs])]
  return inMs.length > 0 ? Math.min(...inMs) : undefined
}

export interface ScheduleLoad {
  /** Origins that are due and that no replica visits. */
  readonly due: number
  /** How late the most overdue of them is. */
  readonly oldestSeconds: number
  /** Origins that are being visited, or left alone for a moment after a visit. */
  readonly busy: number
}

/** How far the schedule is behind. */
export async function scheduleLoad(db: ProberDb, now: Date): Promise<ScheduleLoad> {
  const { rows } = await sql<ScheduleLoad>`
    select count(*) filter (where is_due and not is_busy) as due,
           coalesce(extract(epoch from ${now}::timestamptz - min(next_due_at) filter (where is_due and not is_busy)), 0)::float8
             as "oldestSeconds",
           count(*) filter (where is_busy) as busy
    from (select next_due_at, next_due_at <= ${now} as is_due, coalesce(greatest(leased_until, alone_until) > now(), false) as is_busy
          from origin where next_due_at <= ${now} or leased_until > now() or alone_until > now()) at_work`.execute(db)
  return rows[0] ?? { due: 0, oldestSeconds: 0, busy: 0 }
}

/**
 * Leases one origin, watched or not, unless another holds it. One that is not watched gets a row for as long as the
 * lease; if its replica dies, the schedule, which is notified, finds the row due, without endpoints, and removes it.
 * `alone_until` only binds the schedule, not a probe on demand.
 * @returns false if it is leased
 */
export async function leaseOrigin(
  db: ProberDb,
  { origin, token }: Lease,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<boolean> {
  const { rows } = await sql`
    with leased as (
      insert into origin (origin, site, next_due_at, lease, leased_until)
      values (${origin}, ${siteOf(origin)}, ${new Date(now)}, ${token}, now() + ${leaseMs} * interval '1 millisecond')
      on conflict (origin) do update set lease = excluded.lease, leased_until = excluded.leased_until
        where origin.leased_until is null or origin.leased_until <= now()
      returning 1)
    select pg_notify('origins_' || current_schema(), '') from leased`.execute(db)
  return rows.length === 1
}

/** Extends a lease before the next endpoint. @returns false if it ended and another replica may have the origin */
export async function renewLease(db: ProberDb, { origin, token }: Lease, leaseMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update origin set leased_until = now() + ${leaseMs} * interval '1 millisecond'
    where origin = ${origin} and lease = ${token} and leased_until > now()`.execute(db)
  return numAffectedRows === 1n
}

/** Locks a leased origin's row, so that its lease cannot pass on before the commit. @returns false if it already has */
export async function lockLease(tx: ProberTx, { origin, token }: Lease): Promise<boolean> {
  const row = await tx
    .selectFrom('origin')
    .select('origin')
    .where('origin', '=', origin)
    .where('lease', '=', token)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Releases a lease, unless another replica has the origin by now. */
export const releaseLease = (db: ProberDb, lease: Lease, aloneForMs = 0): Promise<void> =>
  db.transaction().execute(async (tx) => {
    if (await lockLease(tx, lease)) await giveBack(tx, lease, aloneForMs)
  })

/**
 * Releases a locked lease. The origin is due when the first of its endpoints is, and removed with the last. This is a
 * statement of its own, after the lock, so that it sees endpoints that were added meanwhile.
 * @param aloneForMs how long the schedule leaves it alone, even if due; without endpoints, it is removed after that
 */
export async function giveBack(tx: ProberTx, { origin }: Lease, aloneForMs = 0): Promise<void> {
  await sql`
    with due as (
      select min(next_due_at) as at from (
        select next_due_at from target where origin = ${origin}
        union all select next_due_at from resource_probe where origin = ${origin}) endpoint),
    alone as (
      select nullif(greatest(alone_until, now() + ${aloneForMs} * interval '1 millisecond', now()), now()) as until
      from origin where origin = ${origin}),
    gone as (
      delete from origin using due, alone where origin.origin = ${origin} and due.at is null and alone.until is null)
    update origin
    set next_due_at = coalesce(due.at, origin.next_due_at), lease = null, leased_until = null, alone_until = alone.until
    from due, alone where origin.origin = ${origin} and (due.at is not null or alone.until is not null)`.execute(tx)
  await tellOfOrigins(tx)
}

/** Wakes the schedules of all replicas at the commit, once for any number of origins. */
const tellOfOrigins = (tx: ProberTx) => sql`select pg_notify('origins_' || current_schema(), '')`.execute(tx)

/**
 * Locks origins until the commit, in sorted order, and makes some of them due at a given time at the latest.
 * @param due those to bring forward; any that was not watched is watched from then on
 */
export async function lockAndBringForward(
  tx: ProberTx,
  { origins, due, at }: { readonly origins: readonly string[]; readonly due: readonly string[]; readonly at: Date },
): Promise<void> {
  const inOrder = origins.toSorted()
  await sql`
    insert into origin (origin, site, next_due_at)
    select origin, site, case when origin = any(${[...due]}::text[]) then ${at}::timestamptz else 'infinity' end
    from unnest(${inOrder}::text[], ${inOrder.map(siteOf)}::text[]) as touched (origin, site)
    on conflict (origin) do update set next_due_at = least(origin.next_due_at, excluded.next_due_at)`.execute(tx)
  if (due.length > 0) await tellOfOrigins(tx)
}

/** Makes origins due at a given time at the latest. In sorted order, so that two writers cannot deadlock. */
export async function bringForward(tx: ProberTx, origins: readonly string[], at: Date): Promise<void> {
  for (const origin of [...new Set(origins)].sort()) {
    await sql`
      insert into origin (origin, site, next_due_at) values (${origin}, ${siteOf(origin)}, ${at})
      on conflict (origin) do update set next_due_at = least(origin.next_due_at, excluded.next_due_at)`.execute(tx)
  }
  if (origins.length > 0) await tellOfOrigins(tx)
}
