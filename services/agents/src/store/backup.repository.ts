import type { Address } from '@callboard/values'
import { sql } from 'kysely'
import type { AgentsDb, AgentsTx, BackupTable } from './tables.ts'

/** The metadata of backups without their content, ordered by device. */
export const backupsOf = (db: AgentsDb, owner: Address) =>
  db
    .selectFrom('backup')
    .select(['device', 'version', 'recipient', 'sha256', 'stored_by', 'stored_at'])
    .select(sql<number>`octet_length(ciphertext)`.as('bytes'))
    .where('owner', '=', owner)
    .orderBy('device')
    .execute()

export const backupOf = (db: AgentsDb, owner: Address, device: string) =>
  db.selectFrom('backup').selectAll().where('owner', '=', owner).where('device', '=', device).executeTakeFirst()

export async function countBackups(tx: AgentsTx, owner: Address): Promise<number> {
  const { kept } = await tx
    .selectFrom('backup')
    .select((row) => row.fn.countAll<number>().as('kept'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(kept)
}

/** Stores a backup, replacing the previous one. */
export const putBackup = (tx: AgentsTx, { owner, device, ...content }: BackupTable) =>
  tx
    .insertInto('backup')
    .values({ owner, device, ...content })
    .onConflict((conflict) => conflict.columns(['owner', 'device']).doUpdateSet(content))
    .execute()

export const dropBackup = (db: AgentsDb, owner: Address, device: string) =>
  db.deleteFrom('backup').where('owner', '=', owner).where('device', '=', device).execute()
