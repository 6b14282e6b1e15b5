import { createHash } from 'node:crypto'
import type { Hex } from '@callboard/values'

/**
 * That blocks were read: `block` by block, each by its hash, or as a `range` of final ones, of which the first and the last
 * were read by their hashes.
 */
export interface BlockRead {
  readonly from: number
  readonly to: number
  /** The endpoint’s place in the settings and its host: keys of providers stand in paths. */
  readonly endpoint: string
  readonly how: 'block' | 'range'
  /** The hash of the block before `from`. */
  readonly parentHash: Hex
  /** Of every block, or of a range’s first and last one; one hash where these are the same. */
  readonly hashes: readonly Hex[]
  /** Logs of the followed contracts that were found. */
  readonly logs: number
}

/** A read as it was written down: one of a chain of digests. */
export interface WrittenRead extends BlockRead {
  /** From 1 on, without a gap. */
  readonly place: number
  readonly readAt: string
  /** The digest of the read before; empty for the first. */
  readonly previous: string
  readonly digest: string
}

/** SHA-256 over all that a read says and the digest before it, member by member, one a line. */
export function digestOf(network: string, read: Omit<WrittenRead, 'digest'>): string {
  const lines = [
    'callboard-block-read/1',
    ...[network, read.place, read.from, read.to, read.endpoint, read.how, read.parentHash],
    ...[read.hashes.join(','), read.logs, read.readAt, read.previous],
  ]
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** A read with its place in the chain of digests. */
export function written(
  network: string,
  read: BlockRead,
  last: Pick<WrittenRead, 'place' | 'digest'> | undefined,
  readAt: string,
): WrittenRead {
  const placed = { ...read, place: (last?.place ?? 0) + 1, readAt, previous: last?.digest ?? '' }
  return { ...placed, digest: digestOf(network, placed) }
}
