import type { HttpMethod } from '@callboard/contract'
import { sql } from 'kysely'
import { BUCKETS, bucketOf } from '../domain/latency-buckets.ts'
import type { Verdict } from '../domain/probe-state.ts'
import { dayOf, firstDayOfWeek } from '../domain/rolling-week.ts'
import type { ProberDb, ProberTx } from './tables.ts'

export interface Check {
  readonly slug: string
  readonly method: HttpMethod
  readonly url: string
  readonly at: number
  readonly verdict: Verdict
  readonly latencyMs: number | null
}

/** Adds one check to its day. Latencies count only while the endpoint is up. */
export async function addCheck(tx: ProberTx, { slug, method, url, at, verdict, latencyMs }: Check): Promise<void> {
  const ok = verdict === 'up' ? 1 : 0
  const neutral = verdict === 'neutral' ? 1 : 0
  const bucket = verdict === 'up' && latencyMs !== null ? bucketOf(latencyMs) : undefined
  const counts = Array.from({ length: BUCKETS }, (_, index) => (index === bucket ? 1 : 0))
  const addLatency = bucket === undefined ? sql`` : sql`, buckets[${bucket + 1}] = check_day.buckets[${bucket + 1}] + 1`
  await sql`
    insert into check_day (slug, method, url, day, checks, ok, neutral, buckets)
    values (${slug}, ${method}, ${url}, ${dayOf(at)}, 1, ${ok}, ${neutral}, ${counts}::integer[])
    on conflict (slug, day, method, url) do update
      set checks = check_day.checks + 1, ok = check_day.ok + excluded.ok,
          neutral = check_day.neutral + excluded.neutral ${addLatency}`.execute(tx)
}

/** The days of all endpoints of a listing that reach into the week. */
export const checkDays = (db: ProberDb, slug: string, now: number) =>
  db.selectFrom('check_day').selectAll().where('slug', '=', slug).where('day', '>=', firstDayOfWeek(now)).execute()

/** Removes the days that no week reaches any more. @returns how many rows */
export async function sweepDays(db: ProberDb, now: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('check_day').where('day', '<', firstDayOfWeek(now)).executeTakeFirst()
  return Number(numDeletedRows)
}
