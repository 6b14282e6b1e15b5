import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../kit.ts'
import { deleteTrust } from '../store/device-trust.repository.ts'
import { lockOwner } from '../store/owner.repository.ts'

/** No link is touched. An approval that is being made on this trust is waited for. */
export const distrustDevice: AgentsHandler<typeof agents.distrustDevice> = async ({ device }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  await ctx.db.transaction().execute(async (tx) => {
    await lockOwner(tx, owner)
    await deleteTrust(tx, owner, device)
  })
  return {}
}
