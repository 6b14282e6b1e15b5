import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { metadataOf } from '../backups/shown-backup.ts'
import type { AgentsHandler } from '../context.ts'
import { backupsOf } from '../store/backup.repository.ts'

export const listBackups: AgentsHandler<typeof agents.listBackups> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const backups = await backupsOf(ctx.db, ctx.caller.owner)
  return { backups: backups.map(metadataOf) }
}
