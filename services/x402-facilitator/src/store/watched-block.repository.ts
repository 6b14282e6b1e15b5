import type { Caip2, Hex } from '@callboard/values'
import { type SqlBool, sql } from 'kysely'
import { nextState, type State, WATCHED_STATES } from '../domain/payment-state.ts'
import type { FacilitatorDb, Payment } from './tables.ts'

/** A block that holds outcomes which may still go away. */
export interface WatchedBlock {
  readonly number: number
  readonly hash: Hex
}

/** The blocks whose outcomes are not final, the oldest first. */
export async function watchedBlocks(db: FacilitatorDb, network: Caip2, limit: number): Promise<WatchedBlock[]> {
  const rows = await db
    .selectFrom('payment')
    .select(['block_number as number', 'block_hash as hash'])
    .distinct()
    .where('network', '=', network)
    .where('state', 'in', WATCHED_STATES)
    .where('block_hash', 'is not', null)
    .orderBy('block_number')
    .orderBy('block_hash')
    .limit(limit)
    .$narrowType<{ number: number; hash: Hex }>()
    .execute()
  return rows
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

/** Makes every outcome in these blocks final. @returns how many */
export async function finalizeBlocks(
  db: FacilitatorDb,
  network: Caip2,
  blocks: readonly WatchedBlock[],
  now: Date,
): Promise<number> {
  if (blocks.length === 0) return 0
  const finals = WATCHED_STATES.map(
    (state) => sql`when ${sql.lit(state)} then ${sql.lit(nextState(state, 'finalized'))}`,
  )
  const { numUpdatedRows } = await db
    .updateTable('payment')
    .set({ state: sql<Exclude<State, 'absent'>>`case state ${sql.join(finals, sql` `)} end`, updated_at: now })
    .where('network', '=', network)
    .where('state', 'in', WATCHED_STATES)
    .where(sql<SqlBool>`block_number = any(${[...new Set(blocks.map(({ number }) => number))]})`)
    .where(sql<SqlBool>`block_hash = any(${[...new Set(blocks.map(({ hash }) => hash))]})`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
