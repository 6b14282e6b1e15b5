import type { Address } from '@callboard/values'
import type { FacilitatorDb, FacilitatorTx } from './tables.ts'

/** The operation and the fingerprint of a payment recovered from the chain: no request equals it. */
export const RECOVERED = 'recovered'

/** The request that a payment buys, and its result once there is one. */
export interface Grant {
  readonly fingerprint: string
  readonly result: Record<string, unknown> | null
}

/**
 * Binds a payment to the first request that presents it. Within a transaction, the binding is not deleted until it ends.
 * @returns what it is bound to, this request or an earlier one
 */
export async function bindGrant(
  db: FacilitatorDb,
  paymentKey: string,
  operation: string,
  fingerprint: string,
  now: Date,
): Promise<Pick<Grant, 'fingerprint'>> {
  const insert = db
    .insertInto('grant_binding')
    .values({ payment_key: paymentKey, operation, fingerprint, result: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
  const lock = db.selectFrom('grant_binding').select('fingerprint').where('payment_key', '=', paymentKey).forShare()
  return lockedRow(insert, lock)
}

/**
 * Inserts a row unless it is there, and locks it: again, where it was deleted in between with a refused payment that
 * nobody had presented for long.
 */
async function lockedRow<Row>(
  insert: { execute(): Promise<unknown> },
  lock: { executeTakeFirst(): Promise<Row | undefined> },
): Promise<Row> {
  for (;;) {
    await insert.execute()
    const row = await lock.executeTakeFirst()
    if (row) return row
  }
}

export const findGrant = (db: FacilitatorDb, paymentKey: string): Promise<Grant> =>
  db
    .selectFrom('grant_binding')
    .select(['fingerprint', 'result'])
    .where('payment_key', '=', paymentKey)
    .executeTakeFirstOrThrow()

/** Whether a payment was presented for a request of an operation. */
export async function isBoundTo(
  db: FacilitatorDb,
  paymentKey: string,
  { operation, fingerprint }: { operation: string; fingerprint: string },
): Promise<boolean> {
  const bound = await db
    .selectFrom('grant_binding')
    .select('payment_key')
    .where((row) => row.and({ payment_key: paymentKey, operation, fingerprint }))
    .executeTakeFirst()
  return bound !== undefined
}

/** Stores the result unless there is one. @returns the stored one */
export async function storeResult<Result extends object>(
  db: FacilitatorDb,
  paymentKey: string,
  result: Result,
): Promise<Result> {
  await db
    .updateTable('grant_binding')
    .set({ result: JSON.stringify(result) })
    .where('payment_key', '=', paymentKey)
    .where('result', 'is', null)
    .execute()
  return (await findGrant(db, paymentKey)).result as Result
}

/** The key of an identifier: with another payer or owner, the same id names something else. */
export interface IdentifierKey {
  readonly operation: string
  readonly payer: Address
  /** The owner of the purchase, where the operation knows one; else the empty string. */
  readonly owner: string
  readonly id: string
}

/** The payment that an identifier names, and its request. */
export interface NamedPayment {
  readonly fingerprint: string
  readonly payment_key: string
}

/** The stored form: addresses in lower case, as in a payment key. */
const stored = ({ payer, owner, ...rest }: IdentifierKey) => ({
  ...rest,
  payer: payer.toLowerCase(),
  owner: owner.toLowerCase(),
})

/**
 * Reserves an identifier for a payment and its request, and locks it until the transaction ends.
 * @returns what it names, this payment or an earlier one
 */
export async function reserveIdentifier(
  tx: FacilitatorTx,
  identifier: IdentifierKey,
  named: NamedPayment,
  now: Date,
): Promise<NamedPayment> {
  const key = stored(identifier)
  const insert = tx
    .insertInto('purchase_identifier')
    .values({ ...key, ...named, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
  const lock = tx
    .selectFrom('purchase_identifier')
    .select(['fingerprint', 'payment_key'])
    .where((row) => row.and(key))
    .forUpdate()
  return lockedRow(insert, lock)
}

/** The most identifiers of one payment. A client has one; further ones would cost a payer nothing, and are not stored. */
const MOST_IDENTIFIERS = 16

export async function hasManyIdentifiers(tx: FacilitatorTx, paymentKey: string): Promise<boolean> {
  const named = await tx
    .selectFrom('purchase_identifier')
    .select('id')
    .where('payment_key', '=', paymentKey)
    .limit(MOST_IDENTIFIERS)
    .execute()
  return named.length === MOST_IDENTIFIERS
}

/** Makes an identifier name another payment of the same request, after the first one failed. */
export const reassignIdentifier = (tx: FacilitatorTx, identifier: IdentifierKey, paymentKey: string) =>
  tx
    .updateTable('purchase_identifier')
    .set({ payment_key: paymentKey })
    .where((row) => row.and(stored(identifier)))
    .execute()

/**
 * Settled payments for one of our operations, and recovered ones whose request is unknown; with their owner, where an
 * identifier of the same request names it: the previous release left some that named a payment of another request.
 */
export const paidForBalance = (
  db: FacilitatorDb,
  { payTo, from, operation }: { readonly payTo: Address; readonly from: Date; readonly operation: string },
) =>
  db
    .selectFrom('payment')
    .innerJoin('grant_binding', 'grant_binding.payment_key', 'payment.key')
    .leftJoin('purchase_identifier', (join) =>
      join
        .onRef('purchase_identifier.payment_key', '=', 'payment.key')
        .onRef('purchase_identifier.operation', '=', 'grant_binding.operation')
        .onRef('purchase_identifier.fingerprint', '=', 'grant_binding.fingerprint'),
    )
    .select(['payment.key', 'payment.payer', 'payment.network', 'payment.amount', 'payment.settled_tx'])
    .select('purchase_identifier.owner')
    .where('payment.pay_to', '=', payTo)
    .where('payment.created_at', '>=', from)
    .where('payment.state', 'in', ['mined', 'safe', 'final'])
    .where('grant_binding.operation', 'in', [operation, RECOVERED])
    .orderBy('payment.created_at')
    .execute()
