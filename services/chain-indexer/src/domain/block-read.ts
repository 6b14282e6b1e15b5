import { createHash } from 'node:crypto'
import type { Hex } from '@callboard/values'

/**
 * A record of blocks read: as `block`, each by its hash, or as a `range` of final ones, of which the first and the last
 * were read by hash.
 */
export interface BlockRead {
  readonly from: number
  readonly to: number
  /** The endpoint’s position in the settings and its host: URL paths contain providers' keys. */
  readonly endpoint: string
  readonly how: 'block' | 'range'
  /** The hash of the block before `from`. */
  readonly parentHash: Hex
  /** Of every block, or of a range’s first and last one; one hash where these are the same block. */
  readonly hashes: readonly Hex[]
  /** Number of logs found from the followed contracts. */
  readonly logs: number
}

/** A read as stored: one link in a chain of digests. */
export interface WrittenRead extends BlockRead {
  /** From 1, without gaps. */
  readonly place: number
  readonly readAt: string
  /** The digest of the previous read; empty for the first. */
  readonly previous: string
  readonly digest: string
}

/** SHA-256 over all members of a read and the previous digest, one member per line. */
export function digestOf(network: string, read: Omit<WrittenRead, 'digest'>): string {
  const lines = [
    'callboard-block-read/1',
    ...[network, read.place, read.from, read.to, read.endpoint, read.how, read.parentHash],
    ...[read.hashes.join(','), read.logs, read.readAt, read.previous],
  ]
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Adds a read to the chain of digests. */
export function written(
  network: string,
  read: BlockRead,
  last: Pick<WrittenRead, 'place' | 'digest'> | undefined,
  readAt: string,
): WrittenRead {
  const placed = { ...read, place: (last?.place ?? 0) + 1, readAt, previous: last?.digest ?? '' }
  return { ...placed, digest: digestOf(network, placed) }
}
