import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx, TopUpTable } from './tables.ts'

/** A payment as it was presented: the same one may come with another request, or for another owner. */
export interface Presented {
  /** `network/asset/from/nonce` of its authorization. */
  readonly paymentKey: string
  /** SHA-256 of the request and its owner. */
  readonly fingerprint: string
}

/** A payment that an owner has sent for its balance, before it is known whether it comes. */
export interface NewTopUp extends Presented {
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  readonly network: Caip2
  /** The key of the call that it came with; null where it came by itself. */
  readonly keyId: string | null
  readonly now: Date
  /** When it is to be asked for, should its handler not have credited it by then. */
  readonly dueAt: Date
}

export interface TopUp extends Omit<NewTopUp, 'now' | 'dueAt'> {
  readonly state: TopUpTable['state']
  readonly createdAt: Date
  readonly creditedAt: Date | null
  /** Its hash on the chain, once it is credited. */
  readonly transaction: string | null
}

/**
 * Notes a payment before it is settled, so that it is credited though this process dies. One that failed is pending again, and one
 * that waits since before `renewed` waits anew: who gave it up meanwhile saw another presentation.
 * @returns false when it was noted before and stays as it was
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
 * Notes that a payment came, also where it had been given up.
 * @returns false when it was credited before, or is unknown
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

/** A note as it was read: one that was renewed since is another. */
type Seen = Presented & Pick<TopUp, 'createdAt'>

const stillPending = ({ paymentKey, fingerprint, createdAt }: Seen) =>
  ({ payment_key: paymentKey, fingerprint, state: 'pending', created_at: createdAt }) as const

/** Notes that a payment will not come. @returns false when it is not pending, or was presented again since it was seen */
export async function markFailed(db: RouterDb, seen: Seen): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('top_up')
    .set({ state: 'failed' })
    .where((row) => row.and(stillPending(seen)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Forgets a note of what was no payment, or none for this owner. @returns false as `markFailed` does */
export async function forgetTopUp(db: RouterDb, seen: Seen): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('top_up')
    .where((row) => row.and(stillPending(seen)))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Notes that the facilitator has a payment under way. */
export const noteAwaited = (db: RouterDb, { paymentKey, fingerprint }: Presented) =>
  db
    .updateTable('top_up')
    .set({ awaited: true })
    .where((row) => row.and({ payment_key: paymentKey, fingerprint, state: 'pending' }))
    .execute()

export interface Due {
  readonly now: Date
  /** When they are due again, should the replica that takes them die. */
  readonly until: Date
  readonly limit: number
  /** Those of which money may have moved, or those that may be anyone's invention. */
  readonly awaited: boolean
}

/** Takes pending payments that are due to be asked for, those first that are due the longest; of several replicas each gets others. */
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

/** Says when a payment is asked for next, unless it was presented again since it was seen. */
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

/** What is pending. */
export interface PendingTopUps {
  /** How many since before a moment of which money may have moved. */
  readonly awaited: number
  /** When the first is to be asked for; null where none is pending. */
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
