import { sql } from 'kysely'
import type { ListingsDb } from './tables.ts'

/** What waits for the operator. An edit or another offer is a new matter, and waits from then on. */
export interface Waiting {
  readonly slug: string
  readonly asks: 'verification' | 'terms'
  readonly name: string
  readonly since: Date
}

const ALL = sql<Waiting>`
  select slug, 'verification' as asks, name, date_trunc('milliseconds', updated_at) as since from listing
  where verification = 'requested' and status = 'live' and withdrawn_at is null
  union all
  select slug, 'terms', claim ->> 'title', date_trunc('milliseconds', state_since) from mirrored
  where state = 'suspended' and taken_down is null
  union all
  select slug, 'verification', claim ->> 'title', date_trunc('milliseconds', updated_at) from mirrored
  where state = 'payable' and taken_down is null and held ->> 'verification' = 'requested'`

/** What has waited longest, after a place. */
export async function oldestWaiting(
  db: ListingsDb,
  limit: number,
  after: Pick<Waiting, 'since' | 'slug'> | undefined,
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select * from (${ALL}) as waiting
    where ${after ? sql`(since, slug) > (${after.since}, ${after.slug})` : sql`true`}
    order by since, slug limit ${limit}`.execute(db)
  return rows
}

/** How many wait, and since when the oldest one does. */
export async function waitingInAll(db: ListingsDb): Promise<{ readonly count: number; readonly oldest: Date | null }> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::integer as count, min(since) as oldest from (${ALL}) as waiting`.execute(db)
  return rows[0] ?? { count: 0, oldest: null }
}
