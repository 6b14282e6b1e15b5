import type { FacilitatorDb, FacilitatorTx } from './tables.ts'

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

/** The payment that an identifier stands for, and the request it names. */
export interface NamedPayment {
  readonly fingerprint: string
  readonly payment_key: string
}

/**
 * Reserves an identifier for a payment and its request, and locks it until the transaction ends.
 * @returns what it stands for, this payment or an earlier one
 */
export async function reserveIdentifier(
  tx: FacilitatorTx,
  operation: string,
  id: string,
  named: NamedPayment,
  now: Date,
): Promise<NamedPayment> {
  await tx
    .insertInto('payment_identifier')
    .values({ operation, id, ...named, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tx
    .selectFrom('payment_identifier')
    .select(['fingerprint', 'payment_key'])
    .where('operation', '=', operation)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Lets an identifier stand for another payment of the same request, after the first one came to nothing. */
export const reassignIdentifier = (tx: FacilitatorTx, operation: string, id: string, paymentKey: string) =>
  tx
    .updateTable('payment_identifier')
    .set({ payment_key: paymentKey })
    .where('operation', '=', operation)
    .where('id', '=', id)
    .execute()
