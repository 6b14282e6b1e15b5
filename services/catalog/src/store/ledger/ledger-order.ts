import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LedgerPlace } from '../../domain/places.ts'

/** The order of settlements and burns: by time of observation, then by position in the chain. */
export const NEWEST_FIRST: RawBuilder<unknown> = sql`observed_at desc, network desc, block_number desc, log_index desc, tx_hash desc`

/** Columns before those of the order, and the value that each of them has. */
interface Prefix {
  readonly columns: readonly RawBuilder<unknown>[]
  readonly values: readonly RawBuilder<unknown>[]
}

/** The condition for rows after a place in that order; without a place, all rows. */
export function behindPlace(place?: LedgerPlace, { columns, values }: Prefix = { columns: [], values: [] }) {
  if (!place) return sql<SqlBool>`true`
  const ordered = sql`observed_at, network, block_number, log_index, tx_hash`
  const at = sql`${new Date(place.observedAtMs)}, ${place.network}, ${place.blockNumber}, ${place.logIndex}, ${place.txHash}`
  return sql<SqlBool>`(${sql.join([...columns, ordered])}) < (${sql.join([...values, at])})`
}

/** The place of a row in that order. */
export const placeOf = (row: {
  readonly observed_at: Date
  readonly network: string
  readonly block_number: number
  readonly log_index: number
  readonly tx_hash: string
}): LedgerPlace => ({
  observedAtMs: row.observed_at.getTime(),
  network: row.network,
  blockNumber: row.block_number,
  logIndex: row.log_index,
  txHash: row.tx_hash,
})
