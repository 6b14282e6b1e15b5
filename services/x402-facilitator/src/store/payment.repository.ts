import type { Hex } from '@callboard/values'
import { type ExactTransfer, paymentKey } from '@callboard/x402'
import { sql, type Updateable } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import { type Event, isOpen, nextState, type State } from '../domain/payment-state.ts'
import type { FacilitatorDb, FacilitatorTx, Payment, PaymentTable } from './tables.ts'

/** A driver that dies loses its payment after so long. */
export const LEASE = sql<Date>`now() + interval '5 seconds'`

export const keyOf = ({ network, asset, authorization: { from, nonce } }: ExactTransfer): string =>
  paymentKey({ network, asset, from, nonce })

export const findPayments = (db: FacilitatorDb, keys: readonly string[]): Promise<Payment[]> =>
  db.selectFrom('payment').selectAll().where('key', 'in', keys).execute()

export const findPayment = async (db: FacilitatorDb, key: string): Promise<Payment | undefined> =>
  (await findPayments(db, [key]))[0]

/** What a claim writes down of the authorization. */
export interface Claim {
  readonly transfer: ExactTransfer
  readonly suffix: Hex
  readonly resource: DiscoveredResource | undefined
  readonly owner: string
  readonly now: Date
}

/**
 * Claims keys, each for one authorization and leased to its claimant: a new row, or a refused one that is presented again.
 * @returns the claimed rows in the claims' order, undefined where the key is taken, by a claim of the same list too
 */
export async function claimPayments(db: FacilitatorDb, claims: readonly Claim[]): Promise<(Payment | undefined)[]> {
  const firsts = new Map(claims.toReversed().map((claim) => [keyOf(claim.transfer), claim]))
  const claimed = await sql<Payment>`
    insert into payment (${sql.join([...CLAIMED_COLUMNS, 'created_at'].map((name) => sql.ref(name)))}, lease_until)
    select ${sql.join([...CLAIMED_COLUMNS, 'updated_at'].map((name) => sql.ref(name)))}, ${LEASE}
    from json_to_recordset(${JSON.stringify([...firsts.values()].map(claimedRow))}::json) as claim (
      key text, network text, asset text, payer text, nonce text, pay_to text, amount numeric, valid_after numeric,
      valid_before numeric, signature text, suffix text, resource jsonb, state text, lease_owner text,
      updated_at timestamptz)
    order by key
    on conflict (key) do update set
      (${sql.join(TERMS.map((name) => sql.ref(name)))}, reason, lease_until) =
      (${sql.join(TERMS.map((name) => sql.ref(`excluded.${name}`)))}, null, excluded.lease_until)
    where payment.state = 'refused'
    returning *`.execute(db)
  const rows = new Map(claimed.rows.map((row) => [row.key, row]))
  return claims.map((claim) => {
    const key = keyOf(claim.transfer)
    return firsts.get(key) === claim ? rows.get(key) : undefined
  })
}

/** What a claim says of an authorization; a payment that is presented again may say it anew. */
const TERMS = [
  ...(['pay_to', 'amount', 'valid_after', 'valid_before', 'signature', 'suffix', 'resource'] as const),
  ...(['state', 'lease_owner', 'updated_at'] as const),
]
const CLAIMED_COLUMNS = ['key', 'network', 'asset', 'payer', 'nonce', ...TERMS] as const

const claimedRow = ({ transfer, suffix, resource, owner, now }: Claim) => ({
  key: keyOf(transfer),
  network: transfer.network,
  asset: transfer.asset,
  payer: transfer.authorization.from,
  nonce: transfer.authorization.nonce,
  pay_to: transfer.payTo,
  amount: transfer.amount,
  valid_after: transfer.authorization.validAfter,
  valid_before: transfer.authorization.validBefore,
  signature: transfer.signature,
  suffix,
  resource: resource ?? null,
  state: nextState('absent', 'presented'),
  lease_owner: owner,
  updated_at: now,
})

/** Somebody else moved the payment or took it over; whoever did goes on with it. */
export class PaymentMoved extends Error {
  override readonly name = 'PaymentMoved'
}

/**
 * Locks payments that still stand where they were seen and are still the caller's, until the transaction ends.
 * @returns the keys of those that do
 */
export async function holdPayments(tx: FacilitatorTx, seen: readonly Payment[]): Promise<Set<string>> {
  const wanted = seen.map(({ key, state, lease_owner }) => ({ key, state, lease_owner }))
  const { rows } = await sql<{ key: string }>`
    select payment.key
    from payment join json_to_recordset(${JSON.stringify(wanted)}::json) as seen (key text, state text, lease_owner text)
      using (key)
    where payment.state = seen.state and payment.lease_owner is not distinct from seen.lease_owner
    order by payment.key for update of payment`.execute(tx)
  return new Set(rows.map(({ key }) => key))
}

/** What an event brings. */
export type Facts = Pick<Updateable<PaymentTable>, (typeof FACTS)[number]>

const FACTS = [
  ...(['reason', 'lane', 'chain_nonce', 'tx_hash', 'settled_tx', 'block_number', 'block_hash', 'log_index'] as const),
  ...(['is_foreign', 'announced_tx'] as const),
]
const MOVED_COLUMNS = [...FACTS, 'state', 'updated_at', 'lease_owner', 'lease_until'].map((name) => sql.ref(name))

/**
 * Events of a payment, provided that it still stands where it was seen and is still the caller's. Several are written as
 * one where nothing outside happened between them that the row had to know of.
 */
export interface Move {
  readonly seen: Payment
  readonly events: readonly Event[]
  readonly facts?: Facts
}

/**
 * Moves payments by their events, all in one statement. A payment that comes to its outcome is leased to nobody any more.
 * Rows are locked in the order of their keys, so that two who move the same ones do not wait for each other for ever.
 * @returns the moved rows in the moves' order, undefined where somebody else moved the payment or took it over
 */
export async function movePayments(
  db: FacilitatorDb,
  moves: readonly Move[],
  now: Date,
): Promise<(Payment | undefined)[]> {
  if (moves.length === 0) return []
  const wanted = moves.map(({ seen, events, facts = {} }) => {
    const state = events.reduce<State>(nextState, seen.state)
    if (state === 'absent') throw new Error('a payment becomes absent by releasePayment')
    const unleased = isOpen(state) ? {} : { lease_owner: null, lease_until: null }
    return {
      key: seen.key,
      seen: seen.state,
      owner: seen.lease_owner,
      set: { ...facts, ...unleased, state, updated_at: now },
    }
  })
  const moved = await sql<{ key: string }>`
    with move as materialized (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as move (key text, seen text, owner text, set jsonb)
    ), held as materialized (
      select payment.key from payment join move using (key)
      where payment.state = move.seen and payment.lease_owner is not distinct from move.owner
      order by payment.key for update of payment
    )
    update payment set (${sql.join(MOVED_COLUMNS)}) = (
      select ${sql.join(MOVED_COLUMNS)} from jsonb_populate_record(payment, move.set))
    from move join held using (key)
    where payment.key = move.key and payment.state = move.seen and payment.lease_owner is not distinct from move.owner
    returning payment.key`.execute(db)
  const keys = new Set(moved.rows.map(({ key }) => key))
  return moves.map(({ seen }, index) =>
    keys.has(seen.key) ? ({ ...seen, ...wanted[index]?.set } as Payment) : undefined,
  )
}

/** @throws PaymentMoved always */
export function gone({ key, state }: Payment): never {
  throw new PaymentMoved(`payment ${key} is no longer ${state} or no longer ours`)
}

/** Gives up a claim under which nothing was signed. @returns false when it is not the caller's to give up */
export async function releasePayment(db: FacilitatorDb, seen: Payment): Promise<boolean> {
  nextState(seen.state, 'released')
  const { numDeletedRows } = await db
    .deleteFrom('payment')
    .where('key', '=', seen.key)
    .where('state', '=', seen.state)
    .where('lease_owner', '=', seen.lease_owner)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
