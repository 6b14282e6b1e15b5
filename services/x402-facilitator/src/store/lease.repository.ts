import { sql } from 'kysely'
import { isOpen, OPEN_STATES, UNFINISHED_STATES } from '../domain/payment-state.ts'
import { LEASE } from './payment.repository.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/** Reverted payments have intervals of their own. */
const HAS_OUTCOME = UNFINISHED_STATES.filter((state) => !isOpen(state) && state !== 'reverted')

/**
 * Takes or renews the leases of open payments. Rows that another runner is taking at that moment are skipped.
 * @returns the leased rows in the keys' order, undefined where the payment is not open or another runner works on it
 */
export async function leasePayments(
  db: FacilitatorDb,
  keys: readonly string[],
  owner: string,
): Promise<(Payment | undefined)[]> {
  const leased = await db
    .with('free', (free) =>
      free
        .selectFrom('payment')
        .select('key')
        .where('key', 'in', keys)
        .where('state', 'in', OPEN_STATES)
        .where((row) =>
          row.or([
            row('lease_until', 'is', null),
            row('lease_until', '<', sql<Date>`now()`),
            row('lease_owner', '=', owner),
          ]),
        )
        .orderBy('key')
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('payment')
    .set({ lease_owner: owner, lease_until: LEASE })
    .where('key', 'in', (free) => free.selectFrom('free').select('free.key'))
    .returningAll()
    .execute()
  const rows = new Map(leased.map((row) => [row.key, row]))
  return keys.map((key) => rows.get(key))
}

/** Reserves a payment for its runner for this long, during which nothing is done about it. Milliseconds. */
export const rest = (db: FacilitatorDb, key: string, { owner, forMs }: { owner: string; forMs: number }) =>
  db
    .updateTable('payment')
    .set({ lease_until: sql<Date>`now() + ${forMs} * interval '1 millisecond'` })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute()

export const endLease = (db: FacilitatorDb, key: string, owner: string) =>
  db
    .updateTable('payment')
    .set({ lease_owner: null, lease_until: null })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute()

/** Whether any payment is between claim and outcome. */
export const hasOpenPayments = async (db: FacilitatorDb): Promise<boolean> =>
  (await db.selectFrom('payment').select('key').where('state', 'in', OPEN_STATES).limit(1).execute()).length > 0

/** What remains unfinished. */
export interface Unfinished {
  /** Whether a payment is open, or moved money in a block that is not final. */
  readonly isAny: boolean
  /** Milliseconds until a reverted payment is due for a check; undefined where there is none. */
  readonly revertedInMs: number | undefined
}

export async function unfinishedPayments(db: FacilitatorDb): Promise<Unfinished> {
  const { isAny, revertedInMs } = await db
    .selectNoFrom((row) => [
      row
        .or([
          row.exists(row.selectFrom('payment').select('key').where('state', 'in', OPEN_STATES)),
          row.exists(row.selectFrom('payment').select('key').where('state', 'in', HAS_OUTCOME)),
        ])
        .as('isAny'),
      row.selectFrom('payment').select(FREE_IN_MS.as('ms')).where('state', '=', 'reverted').as('revertedInMs'),
    ])
    .executeTakeFirstOrThrow()
  return { isAny: Boolean(isAny), revertedInMs: fromNow(revertedInMs) }
}

/** Milliseconds until the first lease of an open payment ends, 0 where one has no lease; undefined if none is open. */
export async function nextOrphanMs(db: FacilitatorDb): Promise<number | undefined> {
  const { ms } = await db
    .selectFrom('payment')
    .select(FREE_IN_MS.as('ms'))
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirstOrThrow()
  return fromNow(ms)
}

/** Time until the first of some payments has no lease. */
const FREE_IN_MS = sql<number | null>`(extract(epoch from min(coalesce(lease_until, now())) - now()) * 1000)::float8`

const fromNow = (ms: number | null): number | undefined => (ms === null ? undefined : Math.max(0, ms))

/**
 * Keys of open payments on which no runner works: of each chain in turn the least recently updated one, so that those
 * of a chain that does not answer keep no others waiting.
 */
export async function orphanedPayments(db: FacilitatorDb, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payment')
    .select('key')
    .where('state', 'in', OPEN_STATES)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '<', sql<Date>`now()`)]))
    .orderBy(sql`row_number() over (partition by network order by updated_at)`)
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}
