import type { HttpMethod, ProbeState } from '@callboard/contract'
import { sql } from 'kysely'
import { UP_STATES } from '../domain/probe-state.ts'
import type { Lease } from './origin.repository.ts'
import type { ProberDb, ProberTx } from './tables.ts'

export const targetsOf = (db: ProberDb, slug: string) =>
  db.selectFrom('target').selectAll().where('slug', '=', slug).orderBy('url').orderBy('method').execute()

/**
 * The endpoints of an origin that are due before a given time: those that were up first and the rate-limited ones last,
 * so that these cannot end a visit before the others are checked; then by last check, the oldest first, so that those
 * left out of one visit come first in the next. Ties, such as endpoints never checked, are in random order, so that no
 * owner can choose its place. Mirrored endpoints come after those that their provider listed.
 */
export const dueTargets = (db: ProberDb, origin: string, before: Date, limit: number) =>
  db
    .selectFrom('target')
    .selectAll()
    .where('origin', '=', origin)
    .where('next_due_at', '<=', before)
    .orderBy('mirrored')
    .orderBy(sql`case when state = any(${UP_STATES}::text[]) then 0 when state = 'rate_limited' then 2 else 1 end`)
    .orderBy('last_checked_at', (order) => order.asc().nullsFirst())
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()

export interface TargetKey {
  readonly slug: string
  readonly method: HttpMethod
  readonly url: string
}

/** An endpoint under watch. */
export const findTarget = (db: ProberDb, { slug, method, url }: TargetKey) =>
  db
    .selectFrom('target')
    .selectAll()
    .where('slug', '=', slug)
    .where('method', '=', method)
    .where('url', '=', url)
    .executeTakeFirst()

/** The result of a check of an endpoint, and when the next one is due. */
export interface CheckedTarget extends TargetKey {
  readonly state: ProbeState
  readonly checkedAt: Date
  readonly nextDueAt: Date
  readonly consecutiveDown: number
  readonly describedDigest: string | null
}

/** Writes the results of checks, in one statement. @returns the endpoints that are still watched */
export async function markChecked(tx: ProberTx, checked: readonly CheckedTarget[]): Promise<TargetKey[]> {
  const { rows } = await sql<TargetKey>`
    update target set state = found.state, last_checked_at = found.checked_at, next_due_at = found.next_due_at,
      consecutive_down = found.consecutive_down, described_digest = found.described_digest
    from unnest(
      ${checked.map(({ slug }) => slug)}::text[], ${checked.map(({ method }) => method)}::text[],
      ${checked.map(({ url }) => url)}::text[], ${checked.map(({ state }) => state)}::text[],
      ${checked.map(({ checkedAt }) => checkedAt.toISOString())}::timestamptz[],
      ${checked.map(({ nextDueAt }) => nextDueAt.toISOString())}::timestamptz[],
      ${checked.map(({ consecutiveDown }) => consecutiveDown)}::integer[],
      ${checked.map(({ describedDigest }) => describedDigest)}::text[]
    ) as found (slug, method, url, state, checked_at, next_due_at, consecutive_down, described_digest)
    where target.slug = found.slug and target.method = found.method and target.url = found.url
    returning target.slug, target.method, target.url`.execute(tx)
  return rows
}

/** Lets every endpoint of an origin rest at least until a given time. */
export async function postpone(db: ProberDb, { origin }: Lease, until: Date): Promise<void> {
  await sql`
    with targets as (update target set next_due_at = ${until} where origin = ${origin} and next_due_at < ${until})
    update resource_probe set next_due_at = ${until} where origin = ${origin} and next_due_at < ${until}`.execute(db)
}
