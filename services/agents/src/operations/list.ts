import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { recordGranted } from '../links/settle.ts'
import { linksOf } from '../store/link.repository.ts'
import { summariesOf } from '../summaries.ts'

export const list: AgentsHandler<typeof agents.list> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  await recordGranted(ctx, owner)
  return { agents: await summariesOf(ctx, owner, await linksOf(ctx.db, owner, ['live'])) }
}
