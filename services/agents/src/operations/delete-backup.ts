import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { dropBackup } from '../store/backup.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'

/** Waits for a concurrent store that is being decided by what was there. */
export const deleteBackup: AgentsHandler<typeof agents.deleteBackup> = async ({ device }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  await ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    await dropBackup(tx, owner, device)
  })
  return {}
}
