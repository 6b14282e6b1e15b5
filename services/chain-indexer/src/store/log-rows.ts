import type { StakeChange } from '@callboard/contract'
import { isoTime } from '@callboard/values'
import type { StakeChangeTable } from './tables.ts'

type Place = Pick<StakeChange, 'network' | 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'observedAt'>
type PlaceRow = Pick<
  StakeChangeTable,
  'network' | 'tx_hash' | 'log_index' | 'block_number' | 'block_hash' | 'observed_at'
>

/** The columns of a log's position. */
export const placeRow = (one: Place) => ({
  network: one.network,
  tx_hash: one.txHash,
  log_index: one.logIndex,
  block_number: Number(one.blockNumber),
  block_hash: one.blockHash,
  observed_at: new Date(one.observedAt),
})

export const placeIn = (row: PlaceRow): Place => ({
  network: row.network,
  txHash: row.tx_hash,
  logIndex: row.log_index,
  blockNumber: String(row.block_number),
  blockHash: row.block_hash,
  observedAt: isoTime(row.observed_at.getTime()),
})

/** Chain order. */
export const inChainOrder = (a: Place, b: Place): number =>
  Number(a.blockNumber) - Number(b.blockNumber) || a.logIndex - b.logIndex

/** Those that are new: an insert returned their rows. */
export function insertedOf<One extends Place>(all: readonly One[], rows: readonly PlaceRow[]): readonly One[] {
  if (rows.length === all.length) return all
  const inserted = new Set(rows.map(({ tx_hash, log_index }) => `${tx_hash}:${log_index}`))
  return all.filter(({ txHash, logIndex }) => inserted.has(`${txHash}:${logIndex}`))
}
