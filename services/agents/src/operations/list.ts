import type { agents } from '@callboard/contract'
import { MINUTE_MS, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
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

/**
 * What ended from above while it was being approved is left to the job for a minute, since its key may be made just now.
 * An approval takes no minute: what is older was live, and its end has failed.
 */
function isStuck({ state, ended_by, ended_at, linked_at }: LinkTable, now: number): boolean {
  if (state !== 'ending') return false
  if (ended_by !== 'parent' && ended_by !== 'trust') return true
  const endedMs = ended_at?.getTime() ?? 0
  return endedMs <= now - MINUTE_MS || linked_at.getTime() <= endedMs - MINUTE_MS
}
