import type { Caip2, Hex } from '@callboard/values'
import { nextState, WATCHED_STATES } from '../domain/payment-state.ts'
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
  let finalized = 0n
  for (const state of WATCHED_STATES) {
    const { numUpdatedRows } = await db
      .updateTable('payment')
      .set({ state: nextState(state, 'finalized') as 'final', updated_at: now })
      .where('network', '=', network)
      .where('state', '=', state)
      .where('block_number', 'in', [...new Set(blocks.map(({ number }) => number))])
      .where('block_hash', 'in', [...new Set(blocks.map(({ hash }) => hash))])
      .executeTakeFirst()
    finalized += numUpdatedRows
  }
  return Number(finalized)
}
