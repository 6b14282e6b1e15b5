import type { Caip2, Hex } from '@callboard/values'
import { type ExactTransfer, paymentKey } from '@callboard/x402'
import { sql, type Updateable } from 'kysely'
import type { DiscoveredResource } from '../domain/discovered-resource.ts'
import { type Event, nextState, type State, WATCHED_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, Payment, PaymentTable } from './tables.ts'

/** A driver that dies loses its payment after so long. */
export const LEASE = sql<Date>`now() + interval '5 seconds'`

export const keyOf = ({ network, asset, authorization: { from, nonce } }: ExactTransfer): string =>
  paymentKey({ network, asset, from, nonce })

export const findPayment = (db: FacilitatorDb, key: string): Promise<Payment | undefined> =>
  db.selectFrom('payment').selectAll().where('key', '=', key).executeTakeFirst()

/** What a claim writes down of the authorization. */
export interface Claim {
  readonly transfer: ExactTransfer
  readonly suffix: Hex
  readonly resource: DiscoveredResource | undefined
  readonly owner: string
  readonly now: Date
}

/**
 * Claims a key for one authorization, leased to the claimant: a new row, or a refused one that is presented again.
 * @returns undefined when the key is taken
 */
export function claimPayment(db: FacilitatorDb, claim: Claim): Promise<Payment | undefined> {
  const { transfer, suffix, resource, owner, now } = claim
  const { authorization } = transfer
  const terms = {
    pay_to: transfer.payTo,
    amount: transfer.amount,
    valid_after: authorization.validAfter,
    valid_before: authorization.validBefore,
    signature: transfer.signature,
    suffix,
    resource: resource ? JSON.stringify(resource) : null,
    state: nextState('absent', 'presented') as 'claimed',
    reason: null,
    lease_owner: owner,
    lease_until: LEASE,
    updated_at: now,
  }
  return db
    .insertInto('payment')
    .values({
      ...terms,
      key: keyOf(transfer),
      network: transfer.network,
      asset: transfer.asset,
      payer: authorization.from,
      nonce: authorization.nonce,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(terms).where('payment.state', '=', 'refused'))
    .returningAll()
    .executeTakeFirst()
}

/** Somebody else moved the payment or took it over; whoever did goes on with it. */
export class PaymentMoved extends Error {
  override readonly name = 'PaymentMoved'
}

type Facts = Pick<
  Updateable<PaymentTable>,
  | 'reason'
  | 'lane'
  | 'chain_nonce'
  | 'tx_hash'
  | 'settled_tx'
  | 'block_number'
  | 'block_hash'
  | 'is_foreign'
  | 'announced_tx'
>

/**
 * Moves a payment by an event, provided that it still stands where the caller saw it and is still the caller's.
 * @param facts what the event brings
 * @throws PaymentMoved when it does not
 */
export async function movePayment(
  db: FacilitatorDb,
  seen: Payment,
  event: Event,
  { facts = {}, now }: { facts?: Facts; now: Date },
): Promise<Payment> {
  const state: State = nextState(seen.state, event)
  if (state === 'absent') throw new Error('a payment becomes absent by releasePayment')
  const moved = await db
    .updateTable('payment')
    .set({ ...facts, state, updated_at: now })
    .where('key', '=', seen.key)
    .where('state', '=', seen.state)
    .where(sql<boolean>`lease_owner is not distinct from ${seen.lease_owner}`)
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw new PaymentMoved(`payment ${seen.key} is no longer ${seen.state} or no longer ours`)
  return moved
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

/** Payments whose outcome stands in a block that may still go away, or in one that is deep enough to be final. */
export const watchedPayments = (db: FacilitatorDb, network: Caip2, limit: number): Promise<Payment[]> =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('network', '=', network)
    .where('state', 'in', WATCHED_STATES)
    .orderBy('block_number')
    .limit(limit)
    .execute()
