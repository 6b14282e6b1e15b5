import type { Address } from '@callboard/values'
import type { FacilitatorDb, FacilitatorTx } from './tables.ts'

/** The operation, and the request, of a payment that was recovered from the chain: no request is equal to it. */
export const RECOVERED = 'recovered'

/** The request that a payment buys, and its answer once it has one. */
export interface Grant {
  readonly fingerprint: string
  readonly result: Record<string, unknown> | null
}

/** Binds a payment to the first request that presents it. @returns what it is bound to, this request or an earlier one */
export async function bindGrant(
  db: FacilitatorDb,
  paymentKey: string,
  operation: string,
  fingerprint: string,
  now: Date,
): Promise<Grant> {
  await db
    .insertInto('grant_binding')
    .values({ payment_key: paymentKey, operation, fingerprint, result: null, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return findGrant(db, paymentKey)
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

/** Stores the answer unless there is one. @returns the one that stands */
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

/** What an identifier is bound to: the same letters of another payer, or for another owner, name something else. */
export interface IdentifierKey {
  readonly operation: string
  readonly payer: Address
  /** Whose the purchase is, where the operation knows one; else the empty text. */
  readonly owner: string
  readonly id: string
}

/** The payment that an identifier stands for, and the request it names. */
export interface NamedPayment {
  readonly fingerprint: string
  readonly payment_key: string
}

/** As it is stored: addresses in lower case, as in a payment key. */
const stored = ({ payer, owner, ...rest }: IdentifierKey) => ({
  ...rest,
  payer: payer.toLowerCase(),
  owner: owner.toLowerCase(),
})

/**
 * Reserves an identifier for a payment and its request, and locks it until the transaction ends.
 * @returns what it stands for, this payment or an earlier one
 */
export async function reserveIdentifier(
  tx: FacilitatorTx,
  identifier: IdentifierKey,
  named: NamedPayment,
  now: Date,
): Promise<NamedPayment> {
  const key = stored(identifier)
  await tx
    .insertInto('purchase_identifier')
    .values({ ...key, ...named, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('purchase_identifier')
    .select(['fingerprint', 'payment_key'])
    .where((row) => row.and(key))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Lets an identifier stand for another payment of the same request, after the first one came to nothing. */
export const reassignIdentifier = (tx: FacilitatorTx, identifier: IdentifierKey, paymentKey: string) =>
  tx
    .updateTable('purchase_identifier')
    .set({ payment_key: paymentKey })
    .where((row) => row.and(stored(identifier)))
    .execute()

/**
 * Settled payments for an operation of ours, and recovered ones of which the request is not known; with their owner, where an identifier
 * of the very request says it: a release before left some that named a payment of another one.
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
