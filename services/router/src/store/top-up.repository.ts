import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx, TopUpTable } from './tables.ts'

/** A payment as presented: the same one may come with another request, or for another owner. */
export interface Presented {
  /** `network/asset/from/nonce` of its authorization. */
  readonly paymentKey: string
  /** SHA-256 of the request and its owner. */
  readonly fingerprint: string
}

/** A payment that an owner sent for its balance, before its outcome is known. */
export interface NewTopUp extends Presented {
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  readonly network: Caip2
  /** The key of the call that brought it; null if it came on its own. */
  readonly keyId: string | null
  readonly now: Date
  /** When to check it, if its handler has not credited it by then. */
  readonly dueAt: Date
}

export interface TopUp extends Omit<NewTopUp, 'now' | 'dueAt'> {
  readonly state: TopUpTable['state']
  readonly createdAt: Date
  readonly creditedAt: Date | null
  /** Its transaction hash, once it is credited. */
  readonly transaction: string | null
}

/**
 * Records a payment before it is settled, so that it is credited even if this process dies. One that failed is pending
 * again, and one pending since before `renewed` starts anew, so that a sweep that is giving it up no longer matches it.
 * @returns false if it was recorded before and stays as it was
 */
export async function noteTopUp(db: RouterDb, topUp: NewTopUp, renewed: Date): Promise<boolean> {
  const { paymentKey, fingerprint, owner, amount, network, keyId, now, dueAt } = topUp
  const { numAffectedRows } = await sql`
    insert into top_up (payment_key, fingerprint, owner, amount_nano, network, key_id, state, created_at, due_at)
    values (${paymentKey}, ${fingerprint}, ${owner}, ${amount}::bigint, ${network}, ${keyId}, 'pending', ${now}, ${dueAt})
    on conflict (payment_key, fingerprint) do update
      set state = 'pending', created_at = excluded.created_at, due_at = excluded.due_at, awaited = false
      where top_up.state = 'failed' or (top_up.state = 'pending' and top_up.created_at < ${renewed})`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Records that a payment arrived, even if it had been given up.
 * @returns false if it was credited before, or is unknown
 */
export async function markCredited(
  tx: RouterTx,
  { paymentKey, fingerprint }: Presented,
  { transaction, now }: { readonly transaction: string; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('top_up')
    .set({ state: 'credited', credited_at: now, transaction })
    .where((row) => row.and({ payment_key: paymentKey, fingerprint }))
    .where('state', '<>', 'credited')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A note as it was read: if it was renewed since, it no longer matches. */
type Seen = Presented & Pick<TopUp, 'createdAt'>

const stillPending = ({ paymentKey, fingerprint, createdAt }: Seen) =>
  ({ payment_key: paymentKey, fingerprint, state: 'pending', created_at: createdAt }) as const

/** Records that a payment will not come. @returns false if it is not pending, or was presented again since read */
export async function markFailed(db: RouterDb, seen: Seen): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('top_up')
    .set({ state: 'failed' })
    .where((row) => row.and(stillPending(seen)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets a note of something that was no payment, or not one for this owner. @returns false as `markFailed` does */
export async function forgetTopUp(db: RouterDb, seen: Seen): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('top_up')
    .where((row) => row.and(stillPending(seen)))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Rows per statement: a payment that is presented again never waits for them for long. */
const AT_ONCE = 1_000

/**
 * Forgets payments that were presented before a moment and failed. If presented again, or paid after all, such a payment
 * is recorded and credited as for the first time. One that is being presented is left for the next time.
 * @returns whether there may be more of them
 */
export async function forgetFailed(db: RouterDb, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from top_up where (payment_key, fingerprint) in (
      select payment_key, fingerprint from top_up
      where state = 'failed' and created_at < ${before} limit ${AT_ONCE} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n) === AT_ONCE
}

/** Records that the facilitator has a payment under way. */
export const noteAwaited = (db: RouterDb, { paymentKey, fingerprint }: Presented) =>
  db
    .updateTable('top_up')
    .set({ awaited: true })
    .where((row) => row.and({ payment_key: paymentKey, fingerprint, state: 'pending' }))
    .execute()

export interface Due {
  readonly now: Date
  /** When they are due again if the replica that takes them dies. */
  readonly until: Date
  readonly limit: number
  /** Whether to take those for which money may have moved, or those that anyone may have invented. */
  readonly awaited: boolean
}

/** Takes pending payments that are due for a check, longest due first; concurrent replicas get different ones. */
export async function takeDueTopUps(db: RouterDb, { now, until, limit, awaited }: Due): Promise<TopUp[]> {
  const { rows } = await sql<TopUpRow>`
    update top_up set due_at = ${until}
    where state = 'pending' and (payment_key, fingerprint) in (
      select payment_key, fingerprint from top_up
      where state = 'pending' and ${awaited ? sql`awaited` : sql`not awaited`} and due_at <= ${now}
      order by due_at limit ${limit} for update skip locked)
    returning ${COLUMNS}`.execute(db)
  return rows.map(topUpOf)
}

/** Schedules the next check of a payment, unless it was presented again since it was read. */
export const lookAgainAt = (
  db: RouterDb,
  seen: Seen,
  { dueAt, awaited }: { readonly dueAt: Date; readonly awaited: boolean },
) =>
  db
    .updateTable('top_up')
    .set({ due_at: dueAt, awaited })
    .where((row) => row.and(stillPending(seen)))
    .execute()

/** The pending payments. */
export interface PendingTopUps {
  /** How many, older than a given time, for which money may have moved. */
  readonly awaited: number
  /** When the first is to be checked; null if none is pending. */
  readonly dueAt: Date | null
}

export async function pendingTopUps(db: RouterDb, before: Date): Promise<PendingTopUps> {
  const { rows } = await sql<PendingTopUps>`
    select (select count(*)::integer from top_up where state = 'pending' and awaited and created_at < ${before}) as awaited,
      (select min(due_at) from top_up where state = 'pending') as "dueAt"`.execute(db)
  return rows[0] ?? { awaited: 0, dueAt: null }
}

type TopUpRow = Omit<TopUp, 'amount'> & { readonly amount: string }

const COLUMNS = sql`
  payment_key as "paymentKey", fingerprint, owner, amount_nano::text as amount, network, key_id as "keyId", state, created_at as "createdAt",
  credited_at as "creditedAt", transaction`

const topUpOf = (row: TopUpRow): TopUp => ({ ...row, amount: BigInt(row.amount) })
