import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { noteSeen } from '../store/link.repository.ts'

export const acknowledge: AgentsHandler<typeof agents.acknowledge> = async ({ clientIds }, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  await noteSeen(ctx.db, ctx.caller.owner, clientIds, new Date(ctx.clock.now()))
  return {}
}
