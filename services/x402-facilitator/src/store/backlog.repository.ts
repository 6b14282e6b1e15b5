import type { Address, Caip2 } from '@callboard/values'
import { type RawBuilder, sql } from 'kysely'
import { IN_FLIGHT_STATES, isOpen, OPEN_STATES, UNFINISHED_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

const secondsSince = (since: string): RawBuilder<number> =>
  sql<number>`extract(epoch from now() - min(${sql.ref(since)}))::float8`

export interface UnfinishedPayments {
  readonly network: Caip2
  readonly state: Payment['state']
  readonly payments: number
  /** Since the oldest of them was claimed. */
  readonly oldestSeconds: number
}

/** Counts unfinished payments by state. Both halves are read from the partial index of their states. */
export async function paymentBacklog(db: FacilitatorDb): Promise<UnfinishedPayments[]> {
  const counted = (states: readonly Payment['state'][]) =>
    db
      .selectFrom('payment')
      .select((row) => [
        'network',
        'state',
        row.fn.countAll<number>().as('payments'),
        secondsSince('created_at').as('oldestSeconds'),
      ])
      .where('state', 'in', states)
      .groupBy(['network', 'state'])
  const hasOutcome = UNFINISHED_STATES.filter((state) => !isOpen(state))
  return counted(OPEN_STATES).unionAll(counted(hasOutcome)).execute()
}

export interface LaneAtWork {
  readonly network: Caip2
  readonly lane: Address
  /** Chain nonces whose transactions are in no block. */
  readonly inFlight: number
  readonly oldestSeconds: number
}

/** The signing accounts with transactions on their way. */
export async function lanesAtWork(db: FacilitatorDb): Promise<LaneAtWork[]> {
  const rows = await db
    .selectFrom('payment')
    .select((row) => [
      'network',
      'lane',
      row.fn.count<number>('chain_nonce').distinct().as('inFlight'),
      secondsSince('created_at').as('oldestSeconds'),
    ])
    .where('state', 'in', IN_FLIGHT_STATES)
    .where('lane', 'is not', null)
    .groupBy(['network', 'lane'])
    .execute()
  return rows.flatMap(({ lane, ...row }) => (lane ? [{ ...row, lane }] : []))
}
