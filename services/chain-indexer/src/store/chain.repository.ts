import type { Caip2 } from '@callboard/values'
import type { BlockHeader, BlockRef } from '../domain/chain-data.ts'
import type { IndexerDb, IndexerTx } from './tables.ts'

/** The last block whose settlements are recorded; undefined for a chain that was never followed. */
export async function findCursor(db: IndexerDb, network: Caip2): Promise<BlockRef | undefined> {
  const row = await db
    .selectFrom('chain_cursor')
    .select(['block_number', 'block_hash'])
    .where('network', '=', network)
    .executeTakeFirst()
  return row && { number: row.block_number, hash: row.block_hash }
}

/** When the last recorded block of each of these chains was mined. A chain that is not followed any more is not behind. */
export const recordedBlocks = (
  db: IndexerDb,
  networks: readonly Caip2[],
): Promise<{ network: Caip2; minedAt: Date }[]> =>
  db
    .selectFrom('chain_cursor')
    .innerJoin('block', (block) =>
      block.onRef('block.network', '=', 'chain_cursor.network').onRef('block.number', '=', 'chain_cursor.block_number'),
    )
    .select(['chain_cursor.network', 'block.mined_at as minedAt'])
    .where('chain_cursor.network', 'in', networks)
    .execute()

/** The last recorded block of a chain, and when it was mined. */
export const findProgress = (db: IndexerDb, network: Caip2): Promise<(BlockRef & { minedAt: Date }) | undefined> =>
  db
    .selectFrom('chain_cursor')
    .innerJoin('block', (block) =>
      block.onRef('block.network', '=', 'chain_cursor.network').onRef('block.number', '=', 'chain_cursor.block_number'),
    )
    .select(['block.number', 'block.hash', 'block.mined_at as minedAt'])
    .where('chain_cursor.network', '=', network)
    .executeTakeFirst()

/** Opens a chain: everything after the block `cursor` will be recorded. */
export const insertCursor = (tx: IndexerTx, network: Caip2, cursor: BlockRef, now: Date) =>
  tx
    .insertInto('chain_cursor')
    .values({
      network,
      first_block: cursor.number + 1,
      block_number: cursor.number,
      block_hash: cursor.hash,
      updated_at: now,
    })
    .execute()

/** Moves the cursor from where the step began. @returns false when it is no longer there */
export async function moveCursor(
  tx: IndexerTx,
  network: Caip2,
  { from, to }: { readonly from: BlockRef; readonly to: BlockRef },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('chain_cursor')
    .set({ block_number: to.number, block_hash: to.hash, updated_at: now })
    .where('network', '=', network)
    .where('block_number', '=', from.number)
    .where('block_hash', '=', from.hash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The kept blocks from a height on, newest first. */
export const keptBlocks = (db: IndexerDb, network: Caip2, lowest: number): Promise<BlockRef[]> =>
  db
    .selectFrom('block')
    .select(['number', 'hash'])
    .where('network', '=', network)
    .where('number', '>=', lowest)
    .orderBy('number', 'desc')
    .execute()

export const insertBlocks = (tx: IndexerTx, network: Caip2, headers: readonly BlockHeader[]) =>
  tx
    .insertInto('block')
    .values(
      headers.map(({ number, hash, parentHash, timestamp }) => ({
        network,
        number,
        hash,
        parent_hash: parentHash,
        mined_at: new Date(timestamp * 1000),
      })),
    )
    .execute()

/** Deletes the blocks below a height, which are final, and those above one, which left the chain. */
export const keepBlocksBetween = (
  tx: IndexerTx,
  network: Caip2,
  { from, to }: { readonly from: number; readonly to: number },
) =>
  tx
    .deleteFrom('block')
    .where('network', '=', network)
    .where((block) => block.or([block('number', '<', from), block('number', '>', to)]))
    .execute()
