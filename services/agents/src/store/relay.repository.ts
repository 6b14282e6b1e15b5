import type { AgentsDb, AgentsTx, RelayTable } from './tables.ts'

/** @returns false if a relay with this code exists, in any state */
export async function insertRelay(db: AgentsDb, relay: RelayTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('relay')
    .values(relay)
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export const relayOf = (db: AgentsDb, codeHash: string) =>
  db.selectFrom('relay').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()

/** Locked: only one of several owners is the first. */
export const lockRelay = (tx: AgentsTx, codeHash: string) =>
  tx.selectFrom('relay').selectAll().where('code_hash', '=', codeHash).forUpdate().executeTakeFirst()

export const changeRelay = (tx: AgentsTx, codeHash: string, change: Partial<RelayTable>) =>
  tx.updateTable('relay').set(change).where('code_hash', '=', codeHash).execute()

/** Reads a sealed result and deletes its bytes, in one statement: only one of several readers gets it. */
export const takeResult = (db: AgentsDb, codeHash: string, now: Date) =>
  db
    .with('sealed', (row) =>
      row
        .selectFrom('relay')
        .select(['code_hash', 'version', 'enc', 'ciphertext'])
        .where('code_hash', '=', codeHash)
        .where('sealed_at', 'is not', null)
        .where('read_at', 'is', null)
        .where('expires_at', '>', now)
        .forUpdate(),
    )
    .updateTable('relay')
    .from('sealed')
    .set({ version: null, enc: null, ciphertext: null, read_at: now })
    .whereRef('relay.code_hash', '=', 'sealed.code_hash')
    .returning(['sealed.version', 'sealed.enc', 'sealed.ciphertext'])
    .$narrowType<{ version: 1; enc: string; ciphertext: Buffer }>()
    .executeTakeFirst()

/** Removes relays that expired before a given time. */
export const sweepRelays = (db: AgentsDb, expiredBefore: Date) =>
  db.deleteFrom('relay').where('expires_at', '<', expiredBefore).execute()
