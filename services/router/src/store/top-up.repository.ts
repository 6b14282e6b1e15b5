import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { RouterDb, RouterTx, TopUpTable } from './tables.ts'

/** A payment that an owner has sent for its balance, before it is known whether it comes. */
export interface NewTopUp {
  /** `network:asset:from:nonce` of its authorization. */
  readonly paymentKey: string
  readonly owner: Address
  /** Nano-USD. */
  readonly amount: bigint
  readonly network: Caip2
  readonly now: Date
}

export interface TopUp extends Omit<NewTopUp, 'now'> {
  readonly state: TopUpTable['state']
  readonly createdAt: Date
  readonly creditedAt: Date | null
  /** Its hash on the chain, once it is credited. */
  readonly transaction: string | null
}

/**
 * Notes a payment before it is settled, so that it is credited though this process dies. One that failed is pending again.
 * @returns false when the payment was noted before and has not failed, or belongs to another owner or amount
 */
export async function noteTopUp(tx: RouterTx, { paymentKey, owner, amount, network, now }: NewTopUp): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into top_up (payment_key, owner, amount_nano, network, state, created_at)
    values (${paymentKey}, ${owner}, ${amount}::bigint, ${network}, 'pending', ${now})
    on conflict (payment_key) do update set state = 'pending', created_at = excluded.created_at
      where top_up.state = 'failed' and top_up.owner = excluded.owner
        and top_up.amount_nano = excluded.amount_nano`.execute(tx)
  return numAffectedRows === 1n
}

/**
 * Notes that a payment came, also where it had been given up.
 * @returns false when it was credited before, or is unknown
 */
export async function markCredited(
  tx: RouterTx,
  paymentKey: string,
  { transaction, now }: { readonly transaction: string; readonly now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('top_up')
    .set({ state: 'credited', credited_at: now, transaction })
    .where('payment_key', '=', paymentKey)
    .where('state', '<>', 'credited')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Notes that a payment will not come. @returns false when it is not pending */
export async function markFailed(tx: RouterTx, paymentKey: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('top_up')
    .set({ state: 'failed' })
    .where('payment_key', '=', paymentKey)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Payments that are pending since before a moment, the longest first. */
export async function pendingTopUps(db: RouterDb, before: Date, limit: number): Promise<TopUp[]> {
  const { rows } = await sql<TopUpRow>`
    select ${COLUMNS} from top_up where state = 'pending' and created_at < ${before}
    order by created_at limit ${limit}`.execute(db)
  return rows.map(topUpOf)
}

/** A payment by its key. */
export async function topUpByKey(db: RouterDb, paymentKey: string): Promise<TopUp | undefined> {
  const { rows } = await sql<TopUpRow>`select ${COLUMNS} from top_up where payment_key = ${paymentKey}`.execute(db)
  return rows[0] && topUpOf(rows[0])
}

type TopUpRow = Omit<TopUp, 'amount'> & { readonly amount: string }

const COLUMNS = sql`
  payment_key as "paymentKey", owner, amount_nano::text as amount, network, state, created_at as "createdAt",
  credited_at as "creditedAt", transaction`

const topUpOf = (row: TopUpRow): TopUp => ({ ...row, amount: BigInt(row.amount) })
