import type { Caip2, Hex } from '@callboard/values'
import type { BlockRead, WrittenRead } from '../domain/block-read.ts'
import type { BlockReadTable, IndexerDb, IndexerTx } from './tables.ts'

/** The last read of a chain, to which the next one is appended. */
export const lastRead = (db: IndexerDb, network: Caip2): Promise<{ place: number; digest: string } | undefined> =>
  db
    .selectFrom('block_read')
    .select(['place', 'digest'])
    .where('network', '=', network)
    .orderBy('place', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Appends a read after the last one. Only the leader writes. */
export const insertRead = (tx: IndexerTx, network: Caip2, read: WrittenRead) =>
  tx
    .insertInto('block_read')
    .values({
      ...{ network, place: read.place, from_block: read.from, to_block: read.to, endpoint: read.endpoint },
      ...{ how: read.how, parent_hash: read.parentHash, hashes: [...read.hashes], logs: read.logs },
      ...{ read_at: read.readAt, previous: read.previous, digest: read.digest },
    })
    .execute()

/**
 * The reads that a range of blocks needs, without gaps: from the first that overlaps it to the last. A read of other
 * blocks between them belongs to a reorganization.
 */
export async function readsOf(db: IndexerDb, network: Caip2, from: number, to: number): Promise<WrittenRead[]> {
  const { first, last } = await db
    .selectFrom('block_read')
    .select(({ fn }) => [fn.min('place').as('first'), fn.max('place').as('last')])
    .where('network', '=', network)
    .where('from_block', '<=', to)
    .where('to_block', '>=', from)
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return []
  const rows = await db
    .selectFrom('block_read')
    .selectAll()
    .where('network', '=', network)
    .where('place', '>=', first)
    .where('place', '<=', last)
    .orderBy('place')
    .execute()
  return rows.map(readOf)
}

const readOf = (row: BlockReadTable): WrittenRead => ({
  ...{ place: row.place, from: row.from_block, to: row.to_block, endpoint: row.endpoint },
  ...{ how: row.how as BlockRead['how'], parentHash: row.parent_hash, hashes: row.hashes as Hex[], logs: row.logs },
  ...{ readAt: row.read_at, previous: row.previous, digest: row.digest },
})
