import { noStatement, type Statement, statement, textStatement } from '@callboard/store'
import { memoizeBy } from '@callboard/values'
import type { Updateable } from 'kysely'
import { type Event, isOpen, nextState, type State } from '../domain/payment-state.ts'
import type { Payment, PaymentTable } from './tables.ts'

/** Another runner moved the payment or took it over, and continues it. */
export class PaymentMoved extends Error {
  override readonly name = 'PaymentMoved'
}

/**
 * Locks payments that are still in the state seen and still the caller's, until the transaction ends.
 * @returns the keys of those that are
 */
export function holdPayments(seen: readonly Payment[]): Statement<Set<string>> {
  const wanted = seen.map(({ key, state, lease_owner }) => ({ key, state, lease_owner }))
  return statement<{ key: string }>`
    select payment.key
    from payment join json_to_recordset(${JSON.stringify(wanted)}::json) as seen (key text, state text, lease_owner text)
      using (key)
    where payment.key = any(${wanted.map(({ key }) => key)}::text[]) and payment.state = seen.state
      and payment.lease_owner is not distinct from seen.lease_owner
    order by payment.key for update of payment`.as(({ rows }) => new Set(rows.map(({ key }) => key)))
}

/** The columns that an event sets. */
export type Facts = Pick<Updateable<PaymentTable>, keyof typeof FACTS>

/** The type of each column. */
const FACTS = {
  reason: 'text',
  lane: 'text',
  chain_nonce: 'bigint',
  tx_hash: 'text',
  settled_tx: 'text',
  block_number: 'bigint',
  block_hash: 'text',
  log_index: 'bigint',
  is_foreign: 'boolean',
  announced_tx: 'text',
  preconfirmed_tx: 'text',
  new_payer: 'text',
  exposure: 'integer',
  gas_limit: 'bigint',
  legs: 'integer',
}
const FACT_NAMES = Object.keys(FACTS) as (keyof typeof FACTS)[]

/**
 * Events of a payment, provided that it is still in the state seen and still the caller's. Several are written as one
 * where nothing happened outside in between that the row had to record.
 */
export interface Move {
  readonly seen: Payment
  readonly events: readonly Event[]
  readonly facts?: Facts
}

/**
 * Moves payments by their events, all in one statement. A payment that reaches its outcome loses its lease; one that is
 * on its way again is free at once, even if it was left alone before. Rows are locked in key order, so that two calls
 * that move the same ones do not deadlock.
 * @returns the moved rows in the moves' order, undefined where another runner moved the payment or took it over, and for
 *   every further move of a payment in the same list
 */
export function movePayments(moves: readonly Move[], now: Date): Statement<(Payment | undefined)[]> {
  if (moves.length === 0) return noStatement([])
  const wanted = moves.map(({ seen, events, facts = {} }) => {
    const state = events.reduce<State>(nextState, seen.state)
    if (state === 'absent') throw new Error('a payment becomes absent by releasePayment')
    const unleased = isOpen(state) && seen.lease_owner !== null ? {} : { lease_owner: null, lease_until: null }
    return { seen, facts, set: { ...facts, ...unleased, state, updated_at: now } }
  })
  const firsts = new Map(wanted.toReversed().map((one) => [one.seen.key, one]))
  const made = [...firsts.values()]
  const brought = FACT_NAMES.filter((name) => made.some(({ facts }) => facts[name] !== undefined))
  // A fact that only some of the moves set is left unchanged by the others.
  const mixed = brought.filter((name) => made.some(({ facts }) => facts[name] === undefined))
  const rows = made.map(({ seen, facts, set: { state } }) => ({
    ...{ key: seen.key, seen: seen.state, owner: seen.lease_owner, state, is_open: isOpen(state) },
    ...facts,
    ...(mixed.length > 0 ? { given: mixed.filter((name) => facts[name] !== undefined) } : {}),
  }))
  return textStatement<{ key: string }>(textMoving({ brought, mixed }), [
    JSON.stringify(rows),
    now,
    rows.map(({ key }) => key),
  ]).as((moved) => {
    const keys = new Set(moved.rows.map(({ key }) => key))
    return wanted.map((one) => {
      const { seen, set } = one
      return keys.has(seen.key) && firsts.get(seen.key) === one ? ({ ...seen, ...set } as Payment) : undefined
    })
  })
}

interface Setting {
  /** The facts that some of the moves set. */
  readonly brought: readonly (keyof typeof FACTS)[]
  /** Those of them that others leave unchanged. */
  readonly mixed: readonly (keyof typeof FACTS)[]
}

/** The statement that moves payments, for what their moves set. */
const textMoving = memoizeBy(
  ({ brought, mixed }: Setting) => {
    const named = brought.map((name) => `, "${name}"`).join('')
    const typed = brought.map((name) => `, "${name}" ${FACTS[name]}`).join('')
    const set = brought.map((name) =>
      mixed.includes(name)
        ? `, "${name}" = case when '${name}' = any(move.given) then move."${name}" else payment."${name}" end`
        : `, "${name}" = move."${name}"`,
    )
    return `
    with move as materialized (
      select key, seen, owner, state, is_open, given${named}
      from json_to_recordset($1::json) as move (
        key text, seen text, owner text, state text, is_open boolean, given text[]${typed})
    ), held as materialized (
      select payment.key from payment join move using (key)
      where payment.key = any($3::text[]) and payment.state = move.seen and payment.lease_owner is not distinct from move.owner
      order by payment.key for update of payment
    )
    update payment set state = move.state, updated_at = $2,
      lease_owner = case when move.is_open then payment.lease_owner end,
      lease_until = case when move.is_open and move.owner is not null then payment.lease_until end${set.join('')}
    from move join held using (key)
    where payment.key = move.key and payment.key = any($3::text[]) and payment.state = move.seen and payment.lease_owner is not distinct from move.owner
    returning payment.key`
  },
  ({ brought, mixed }) => `${brought.join()} ${mixed.join()}`,
)

/** @throws PaymentMoved always */
export function gone({ key, state }: Payment): never {
  throw new PaymentMoved(`payment ${key} is no longer ${state} or no longer ours`)
}
