import type { Address, Caip2 } from '@callboard/values'
import { sql } from 'kysely'
import type { IndexerDb, IndexerTx } from './tables.ts'

/** The contracts that are followed in addition to a chain's token. */
export async function knownSources(db: IndexerDb, network: Caip2): Promise<Address[]> {
  const rows = await db.selectFrom('log_source').select('emitter').where('network', '=', network).execute()
  return rows.map(({ emitter }) => emitter)
}

/** Stores a contract that is followed from the cursor on: its blocks from the chain's first one to there are unread. */
export const insertSource = (tx: IndexerTx, network: Caip2, emitter: Address) =>
  sql`
    insert into log_source (network, emitter, next_block, until_block)
    select network, ${emitter}, first_block, block_number from chain_cursor where network = ${network}
    on conflict do nothing`.execute(tx)

export const deleteSource = (tx: IndexerTx, network: Caip2, emitter: Address) =>
  tx.deleteFrom('log_source').where('network', '=', network).where('emitter', '=', emitter).execute()

/** Blocks that were read before a contract was followed. */
export interface MissingBlocks {
  readonly emitter: Address
  readonly from: number
  readonly to: number
}

/** The missing blocks of one of the contracts, up to a height; undefined when there are none. */
export async function findMissing(db: IndexerDb, network: Caip2, final: number): Promise<MissingBlocks | undefined> {
  const row = await db
    .selectFrom('log_source')
    .select(['emitter', 'next_block', 'until_block'])
    .where('network', '=', network)
    .whereRef('next_block', '<=', 'until_block')
    .where('next_block', '<=', final)
    .orderBy('emitter')
    .limit(1)
    .executeTakeFirst()
  return row && { emitter: row.emitter, from: row.next_block, to: Math.min(row.until_block, final) }
}

/** Whether blocks of a contract are missing, final or not. */
export async function isMissingSome(db: IndexerDb, network: Caip2): Promise<boolean> {
  const row = await db
    .selectFrom('log_source')
    .select('emitter')
    .where('network', '=', network)
    .whereRef('next_block', '<=', 'until_block')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const moveSource = (tx: IndexerTx, network: Caip2, emitter: Address, next: number) =>
  tx
    .updateTable('log_source')
    .set({ next_block: next })
    .where('network', '=', network)
    .where('emitter', '=', emitter)
    .execute()
