import { fittingPart } from '@callboard/bus'
import type { agents, Sibling } from '@callboard/contract'
import { DAY_MS, refuse } from '@callboard/values'
import type { AgentsHandler } from '../context.ts'
import { plainUsd } from '../domain/usd.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { recentLinksOf } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'

const SHOWN_AFTER_THE_END_MS = 30 * DAY_MS

/** One entry per wallet, the caller's own included; for a wallet that was linked again, the link that counts. */
export const siblings: AgentsHandler<typeof agents.siblings> = async (_input, ctx) => {
  const own = await linkOfCaller(ctx)
  if (!own) return refuse('unauthorized')
  const links = await recentLinksOf(ctx.db, own.owner, new Date(ctx.clock.now() - SHOWN_AFTER_THE_END_MS))
  const live = links.filter(({ state }) => state === 'live')
  const newest = new Map([...links, ...live, own].map((link) => [link.client_id, link]))
  const clientOf = new Map(links.map(({ id, client_id }) => [id, client_id]))
  return withinAnswer([...newest.values()].map((link) => siblingOf(link, own, clientOf)))
}

/** A trusted device may link some agents per hour, for weeks: of the ended ones, only the newest that fit are shown. */
function withinAnswer(all: readonly Sibling[]) {
  const active = all.filter(({ status }) => status === 'active')
  const ended = all.filter(({ status }) => status !== 'active')
  const { shown, ...rest } = fittingPart([...active, ...ended.toReversed()])
  const kept = new Set(shown)
  return { siblings: all.filter((sibling) => kept.has(sibling)), ...rest }
}

const siblingOf = (link: LinkTable, own: LinkTable, clientOf: ReadonlyMap<string, string>): Sibling => ({
  clientId: link.client_id,
  wallet: link.wallet,
  label: link.label,
  device: link.device,
  status: link.ended_at ? 'revoked' : 'active',
  allowanceUsd: link.scopes.includes('router.use') ? plainUsd(link.allowance_usd) : null,
  approvedBy: link.approved_by,
  parent: (link.parent_id && clientOf.get(link.parent_id)) ?? null,
  self: link.id === own.id,
})
