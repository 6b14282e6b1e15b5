import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import { entityTagOf } from '../backups/shown-backup.ts'
import type { AgentsHandler } from '../context.ts'
import { backupOf } from '../store/backup.repository.ts'

export const readBackup: AgentsHandler<typeof agents.readBackup> = async ({ device }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const backup = await backupOf(ctx.db, ctx.caller.owner, device)
  if (!backup) return refuse('not_found')
  const { version, recipient, enc, ciphertext } = backup
  return { version, recipient, enc, ciphertext: ciphertext.toString('base64url'), etag: entityTagOf(backup) }
}
