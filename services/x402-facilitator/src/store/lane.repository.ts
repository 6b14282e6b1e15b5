import type { Address, Caip2, Hex } from '@callboard/values'
import { sql } from 'kysely'
import { IN_FLIGHT_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, FacilitatorTx, LaneTransaction } from './tables.ts'

/** Makes a lane known, or moves it past chain nonces that were used without us. It never goes back. */
export const raiseLane = (db: FacilitatorDb, network: Caip2, address: Address, nextNonce: number) =>
  db
    .insertInto('lane')
    .values({ network, address, next_nonce: nextNonce })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'address'])
        .doUpdateSet({ next_nonce: sql<number>`greatest(lane.next_nonce, excluded.next_nonce)` }),
    )
    .execute()

/**
 * Takes the next chain nonce of the least busy of the given lanes. The lane's row stays locked until the transaction
 * ends, so the nonce is handed out exactly when the transaction that uses it is stored.
 */
export async function takeChainNonce(
  tx: FacilitatorTx,
  network: Caip2,
  among: readonly Address[],
): Promise<{ lane: Address; chainNonce: number }> {
  const lane = await tx
    .selectFrom('lane')
    .select('address')
    .where('network', '=', network)
    .where('address', 'in', among)
    .orderBy((row) =>
      row
        .selectFrom('payment')
        .select(({ fn }) => fn.countAll().as('busy'))
        .whereRef('payment.lane', '=', 'lane.address')
        .whereRef('payment.network', '=', 'lane.network')
        .where('payment.state', 'in', IN_FLIGHT_STATES),
    )
    .orderBy('address')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { next_nonce } = await tx
    .updateTable('lane')
    .set({ next_nonce: sql<number>`next_nonce + 1` })
    .where('network', '=', network)
    .where('address', '=', lane.address)
    .returning('next_nonce')
    .executeTakeFirstOrThrow()
  return { lane: lane.address, chainNonce: next_nonce - 1 }
}

export const storeTransaction = (tx: FacilitatorTx, transaction: LaneTransaction) =>
  tx.insertInto('transaction').values(transaction).execute()

export const noteSent = (db: FacilitatorDb, hash: Hex, now: Date) =>
  db.updateTable('transaction').set({ sent_at: now }).where('hash', '=', hash).execute()

export const findTransaction = (db: FacilitatorDb, hash: Hex): Promise<LaneTransaction> =>
  db.selectFrom('transaction').selectAll().where('hash', '=', hash).executeTakeFirstOrThrow()

/** Every transaction that was ever signed for a payment, the newest first. */
export async function attemptsAt(db: FacilitatorDb, paymentKey: string): Promise<Hex[]> {
  const rows = await db
    .selectFrom('transaction')
    .select('hash')
    .where('payment_key', '=', paymentKey)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(({ hash }) => hash)
}

/** The newest transaction of every chain nonce that the chain has not consumed yet, in order of nonce. */
export const openSlots = (
  db: FacilitatorDb,
  network: Caip2,
  lane: Address,
  fromNonce: number,
  limit: number,
): Promise<LaneTransaction[]> =>
  db
    .selectFrom('transaction')
    .selectAll()
    .distinctOn('chain_nonce')
    .where('network', '=', network)
    .where('lane', '=', lane)
    .where('chain_nonce', '>=', fromNonce)
    .orderBy('chain_nonce')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** Becomes the one who looks after a lane for a while. @returns false when somebody else does */
export async function keepLane(db: FacilitatorDb, network: Caip2, address: Address, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('lane')
    .set({ kept_until: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .where('network', '=', network)
    .where('address', '=', address)
    .where('kept_until', '<', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores a replacement of a stuck transaction, unless somebody else did, and points its payment at it. */
export async function replaceTransaction(
  db: FacilitatorDb,
  stuck: LaneTransaction,
  replacement: LaneTransaction,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { network, lane, chain_nonce } = stuck
    await tx
      .selectFrom('lane')
      .select('address')
      .where('network', '=', network)
      .where('address', '=', lane)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const [newest] = await openSlots(tx, network, lane, chain_nonce, 1)
    if (newest?.hash !== stuck.hash) return false
    await storeTransaction(tx, replacement)
    await tx
      .updateTable('payment')
      .set({ tx_hash: replacement.hash })
      .where('key', '=', stuck.payment_key)
      .where('tx_hash', '=', stuck.hash)
      .execute()
    return true
  })
}
