import type { ChainProgress, chainProgressed, DataOf, Sequenced } from '@callboard/contract'
import { isoTime, SECOND_MS } from '@callboard/values'
import type { CatalogDb, CatalogTx } from './tables.ts'

/** Writes how far a chain has been read; the latest event wins. */
export const keepProgress = (tx: CatalogTx, said: Sequenced<DataOf<typeof chainProgressed>>) =>
  tx
    .insertInto('chain_progress')
    .values({
      ...{ network: said.network, block_number: Number(said.blockNumber), block_at: new Date(said.blockAt) },
      ...{ behind_blocks: said.behindBlocks, sequence: said.sequence },
    })
    .onConflict((conflict) =>
      conflict
        .column('network')
        .doUpdateSet(({ ref }) => ({
          block_number: ref('excluded.block_number'),
          block_at: ref('excluded.block_at'),
          behind_blocks: ref('excluded.behind_blocks'),
          sequence: ref('excluded.sequence'),
        }))
        .whereRef('chain_progress.sequence', '<', 'excluded.sequence'),
    )
    .execute()

/** How far each chain has been read, by network. */
export async function progressOf(db: CatalogDb, nowMs: number): Promise<ChainProgress[]> {
  const rows = await db
    .selectFrom('chain_progress')
    .select(['network', 'block_number', 'block_at', 'behind_blocks'])
    .orderBy('network')
    .execute()
  return rows.map(({ network, block_number, block_at, behind_blocks }) => ({
    network,
    asOfBlock: String(block_number),
    blockAt: isoTime(block_at.getTime()),
    behindBlocks: behind_blocks,
    lagSeconds: Math.max(0, Math.floor((nowMs - block_at.getTime()) / SECOND_MS)),
  }))
}
