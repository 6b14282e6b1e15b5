import { noStatement, type Statement, statement } from '@callboard/store'
import { type Address, type Caip2, type Hex, ZERO_ADDRESS } from '@callboard/values'
import { sql } from 'kysely'
import { IN_FLIGHT_STATES, RESERVED_STATES } from '../domain/payment-state.ts'
import { statesText } from './states-text.ts'
import type { FacilitatorDb, LaneTransaction, Leg } from './tables.ts'

const inFlight = statesText(IN_FLIGHT_STATES)

/** Registers a lane, or moves it past chain nonces that were used without us. It never goes back. */
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

/** The next chain nonce of each account, from the table. */
export async function nextNonces(db: FacilitatorDb, network: Caip2): Promise<Map<Address, number>> {
  const rows = await db.selectFrom('lane').select(['address', 'next_nonce']).where('network', '=', network).execute()
  return new Map(rows.map(({ address, next_nonce }) => [address, next_nonce]))
}

/** How many transactions of each account are on their way. */
export const busyLanes = (network: Caip2): Statement<Map<Address, number>> =>
  statement<{ lane: Address; busy: number }>`
    select lane, count(distinct chain_nonce) as busy from payment
    where network = ${network} and state in (${inFlight}) and lane is not null
    group by lane`.as(({ rows }) => new Map(rows.map(({ lane, busy }) => [lane, busy])))

/** Locks lanes until the transaction ends, and reads the next chain nonce of each. */
export const lockLanes = (network: Caip2, addresses: readonly Address[]): Statement<Map<Address, number>> =>
  statement<{ address: Address; next_nonce: number }>`
    select address, next_nonce from lane where network = ${network} and address = any(${addresses}::text[])
    order by address for update`.as(({ rows }) => new Map(rows.map(({ address, next_nonce }) => [address, next_nonce])))

/**
 * Takes chain nonces of lanes that the transaction has locked: one is taken exactly when the transaction that uses it is
 * stored.
 * @param counts how many of each lane
 */
export const takeChainNonces = (network: Caip2, counts: ReadonlyMap<Address, number>): Statement<unknown> =>
  counts.size === 0
    ? noStatement(undefined)
    : statement`
    update lane set next_nonce = lane.next_nonce + taken.count
    from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::integer[]) as taken (address, count)
    where lane.network = ${network} and lane.address = taken.address`

export const storeTransactions = (transactions: readonly LaneTransaction[]): Statement<unknown> =>
  transactions.length === 0
    ? noStatement(undefined)
    : statement`
    insert into transaction (hash, network, lane, chain_nonce, raw, created_at, sent_at)
    select hash, network, lane, chain_nonce, raw, created_at, sent_at
    from json_to_recordset(${JSON.stringify(transactions)}::json) as transaction (hash text, network text, lane text,
      chain_nonce bigint, raw text, created_at timestamptz, sent_at timestamptz)`

/** Stores which payments chain nonces carry. */
export const storeLegs = (legs: readonly Leg[]): Statement<unknown> =>
  legs.length === 0
    ? noStatement(undefined)
    : statement`
    insert into leg (network, lane, chain_nonce, payment_key)
    select network, lane, chain_nonce, payment_key from json_to_recordset(${JSON.stringify(legs)}::json)
      as leg (network text, lane text, chain_nonce bigint, payment_key text)`

export const noteSentAgain = (db: FacilitatorDb, hashes: readonly Hex[], now: Date) =>
  db.updateTable('transaction').set({ sent_at: now }).where('hash', 'in', hashes).execute()

export const findTransactions = (db: FacilitatorDb, hashes: readonly Hex[]): Promise<LaneTransaction[]> =>
  db.selectFrom('transaction').selectAll().where('hash', 'in', hashes).execute()

/**
 * Every transaction that was ever signed for a payment, the newest first.
 * @param slot only those of this chain nonce
 */
export async function attemptsAt(
  db: FacilitatorDb,
  paymentKey: string,
  slot?: { readonly lane: Address; readonly chain_nonce: number },
): Promise<Hex[]> {
  const rows = await db
    .selectFrom('leg')
    .innerJoin('transaction', (slot) =>
      slot
        .onRef('transaction.network', '=', 'leg.network')
        .onRef('transaction.lane', '=', 'leg.lane')
        .onRef('transaction.chain_nonce', '=', 'leg.chain_nonce'),
    )
    .select('transaction.hash')
    .where('leg.payment_key', '=', paymentKey)
    .$if(slot !== undefined, (attempts) =>
      attempts
        .where('leg.lane', '=', slot?.lane ?? ZERO_ADDRESS)
        .where('leg.chain_nonce', '=', slot?.chain_nonce ?? -1),
    )
    .orderBy('transaction.created_at', 'desc')
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

/** Makes this process the keeper of a lane for a while. @returns false when another one is */
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

/** Stores a replacement of a stuck transaction, unless another process did, and links its payments to it. */
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
    await storeTransactions([replacement]).execute(tx)
    await tx
      .with('carried', (carried) =>
        carried
          .selectFrom('payment')
          .select('key')
          .where('tx_hash', '=', stuck.hash)
          .where('state', 'in', RESERVED_STATES)
          .orderBy('key')
          .forUpdate(),
      )
      .updateTable('payment')
      .set({ tx_hash: replacement.hash })
      .where('key', 'in', (carried) => carried.selectFrom('carried').select('carried.key'))
      .where('tx_hash', '=', stuck.hash)
      .execute()
    return true
  })
}
