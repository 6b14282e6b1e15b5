import type { HttpMethod } from '@callboard/contract'
import { type Selectable, sql } from 'kysely'
import { BUCKETS, bucketOf } from '../domain/latency-buckets.ts'
import type { Verdict } from '../domain/probe-state.ts'
import { dayOf, firstDayOfWeek } from '../domain/rolling-week.ts'
import type { CheckDayTable, ProberDb, ProberTx } from './tables.ts'

export interface Check {
  readonly slug: string
  readonly method: HttpMethod
  readonly url: string
  readonly at: number
  readonly verdict: Verdict
  readonly latencyMs: number | null
  readonly leftOut: number
}

/**
 * Adds any number of checks to their days, and creates days that are missing. Each endpoint occurs at most once, and no
 * other replica counts it at the same time: its origin's lease is locked. Latencies count only if the endpoint is up.
 */
export async function addChecks(tx: ProberTx, checks: readonly Check[]): Promise<void> {
  const added = checks.map(({ slug, method, url, at, verdict, latencyMs, leftOut }) => ({
    slug,
    method,
    url,
    day: dayOf(at),
    ok: verdict === 'up' ? 1 : 0,
    neutral: verdict === 'neutral' ? 1 : 0,
    left_out: leftOut,
    // Arrays in Postgres start at 1.
    bucket: verdict === 'up' && latencyMs !== null ? bucketOf(latencyMs) + 1 : null,
  }))
  const rows = sql`json_to_recordset(${JSON.stringify(added)}::json)
    as added (slug text, method text, url text, day integer, ok integer, neutral integer, left_out integer,
      bucket integer)`
  const { numAffectedRows } = await sql`
    update check_day set checks = checks + 1, ok = check_day.ok + added.ok, neutral = check_day.neutral + added.neutral,
      left_out = check_day.left_out + added.left_out,
      buckets[coalesce(bucket, 1)] = buckets[coalesce(bucket, 1)] + (bucket is not null)::integer
    from ${rows}
    where check_day.slug = added.slug and check_day.day = added.day and check_day.method = added.method
      and check_day.url = added.url`.execute(tx)
  if (numAffectedRows === BigInt(checks.length)) return
  await sql`
    insert into check_day (slug, method, url, day, checks, ok, neutral, left_out, buckets)
    select slug, method, url, day, 1, ok, neutral, left_out,
      array(select (at is not distinct from bucket)::integer from generate_series(1, ${BUCKETS}) at order by at)
    from ${rows}
    on conflict do nothing`.execute(tx)
}

/**
 * The days within the week of all endpoints of these listings. Their buckets are sent as JSON, which Node reads with
 * far less CPU than a Postgres array.
 */
export const checkDays = (db: ProberDb, slugs: readonly string[], now: number): Promise<Selectable<CheckDayTable>[]> =>
  db
    .selectFrom('check_day')
    .select(['slug', 'method', 'url', 'day', 'checks', 'ok', 'neutral', 'left_out'])
    .select(sql<number[]>`to_json(buckets)`.as('buckets'))
    .where('slug', 'in', slugs)
    .where('day', '>=', firstDayOfWeek(now))
    .execute()

/** Removes the days that are past every week. @returns how many rows */
export async function sweepDays(db: ProberDb, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('check_day').where('day', '<', firstDayOfWeek(now)).executeTakeFirst()
  return Number(numDeletedRows)
}
