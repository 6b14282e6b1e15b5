import type { agents } from '@callboard/contract'
import { refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { isStuck } from '../links/end.ts'
import { recordGranted } from '../links/settle.ts'
import { linksOf } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'
import { summariesOf } from '../summaries.ts'

/** More than an owner has agents at a time; the rest are named once these have ended. */
const MOST_ENDING = 100

export const list: AgentsHandler<typeof agents.list> = async (_input, ctx) => {
  if (ctx.caller.kind !== 'session') return refuse('unauthorized')
  const { owner } = ctx.caller
  await recordGranted(ctx, owner)
  const links = await linksOf(ctx.db, owner, ['live', 'ending'])
  const live = links.filter(({ state }) => state === 'live')
  const shown = { agents: await summariesOf(ctx, owner, live) }
  const ending = endingOf(links, ctx.clock.now())
  return ending.length > 0 ? { ...shown, ending } : shown
}

/** What an owner can end again by its client, so not what has a live link. */
function endingOf(links: readonly LinkTable[], now: number) {
  const labels = new Map(links.flatMap((link) => (isStuck(link, now) ? [[link.client_id, link.label]] : [])))
  for (const { client_id, state } of links) if (state === 'live') labels.delete(client_id)
  return [...labels].slice(0, MOST_ENDING).map(([clientId, label]) => ({ clientId, label }))
}
