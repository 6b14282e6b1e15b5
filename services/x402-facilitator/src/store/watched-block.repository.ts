import type { Caip2, Hex } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import type { Heights } from '../chain/block-facts.ts'
import { nextState, type State, TRANSITIONS, WATCHED_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/** A block that holds outcomes, and may still go away. */
export interface WatchedBlock {
  readonly number: number
  readonly hash: Hex
}

/**
 * Reads the blocks whose outcomes are not final, oldest first. A block in which a payment reverted is watched only
 * while it may go away: after that the authorization decides the payment's outcome.
 * @param due only those that may have gone since, or have become safe or final. Default all.
 */
export async function watchedBlocks(
  db: FacilitatorDb,
  network: Caip2,
  limit: number,
  due?: Heights & { readonly finalityDepth: number },
): Promise<WatchedBlock[]> {
  return db
    .selectFrom('payment')
    .select(['block_number as number', 'block_hash as hash'])
    .distinct()
    .where('network', '=', network)
    .where('state', 'in', WATCHED_STATES)
    .where('block_hash', 'is not', null)
    .$if(due !== undefined, (watched) =>
      watched.where((row) => {
        const { latest = 0, safe = 0, finalized = 0, finalityDepth = 0 } = due ?? {}
        // A safe block leaves the chain only with one of the base chain's; it is compared once more when it is final.
        const isWatched = row.and([row('state', '!=', 'safe'), row('block_number', '>', latest - finalityDepth)])
        const isSafe = row.and([row('state', '=', 'mined'), row('block_number', '<=', safe)])
        const isFinal = row.and([row('state', '!=', 'reverted'), row('block_number', '<=', finalized)])
        return row.or([isWatched, isSafe, isFinal])
      }),
    )
    .$if(due === undefined, (watched) => watched.where('state', '!=', 'reverted'))
    .orderBy('block_number')
    .orderBy('block_hash')
    .limit(limit)
    .$narrowType<{ number: number; hash: Hex }>()
    .execute()
}

/** The payments with an outcome in a block that is not final. */
export const paymentsIn = (db: FacilitatorDb, network: Caip2, { number, hash }: WatchedBlock): Promise<Payment[]> =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('network', '=', network)
    .where('state', 'in', WATCHED_STATES)
    .where('block_number', '=', number)
    .where('block_hash', '=', hash)
    .execute()

/** Preconfirmed payments whose block the chain has by now, and those of before a moment, whatever block was promised. */
export const preconfirmedUpTo = (
  db: FacilitatorDb,
  network: Caip2,
  { number, before }: { readonly number: number; readonly before: Date },
  limit: number,
): Promise<Payment[]> =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('network', '=', network)
    .where('state', '=', 'preconfirmed')
    .where((row) => row.or([row('block_number', '<=', number), row('updated_at', '<', before)]))
    .orderBy('block_number')
    .limit(limit)
    .execute()

/** Moves every outcome in these blocks to which the event applies. @returns how many */
export async function moveBlocks(
  db: FacilitatorDb,
  network: Caip2,
  blocks: readonly WatchedBlock[],
  event: 'secured' | 'finalized',
  now: Date,
): Promise<number> {
  if (blocks.length === 0) return 0
  const states = WATCHED_STATES.filter((state) => TRANSITIONS[state][event])
  const moves = states.map((state) => sql`when ${sql.lit(state)} then ${sql.lit(nextState(state, event))}`)
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ state: sql<Exclude<State, 'absent'>>`case state ${sql.join(moves, sql` `)} end`, updated_at: now })
    .where('network', '=', network)
    .where('state', 'in', states)
    .where(sql<SqlBool>`block_number = any(${[...new Set(blocks.map(({ number }) => number))]})`)
    .where(sql<SqlBool>`block_hash = any(${[...new Set(blocks.map(({ hash }) => hash))]})`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
