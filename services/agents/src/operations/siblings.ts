import type { agents, Sibling } from '@callboard/contract'
import { DAY_MS, refuse } from '@callboard/values'
import { plainUsd } from '../domain/usd.ts'
import type { AgentsHandler } from '../kit.ts'
import { linkOfCaller } from '../links/link-of-caller.ts'
import { recentLinksOf } from '../store/link.repository.ts'
import type { LinkTable } from '../store/tables.ts'

const SHOWN_AFTER_THE_END_MS = 30 * DAY_MS

/** One entry a wallet, the caller's own among them: of a wallet that was linked again, the link that counts. */
export const siblings: AgentsHandler<typeof agents.siblings> = async (_input, ctx) => {
  const own = await linkOfCaller(ctx)
  if (!own) return refuse('unauthorized')
  const links = await recentLinksOf(ctx.db, own.owner, new Date(ctx.clock.now() - SHOWN_AFTER_THE_END_MS))
  const live = links.filter(({ state }) => state === 'live')
  const newest = new Map([...links, ...live, own].map((link) => [link.client_id, link]))
  return { siblings: [...newest.values()].map((link) => siblingOf(link, own)) }
}

const siblingOf = (link: LinkTable, own: LinkTable): Sibling => ({
  clientId: link.client_id,
  wallet: link.wallet,
  label: link.label,
  device: link.device,
  status: link.ended_at ? 'revoked' : 'active',
  allowanceUsd: link.scopes.includes('router.use') ? plainUsd(link.allowance_usd) : null,
  self: link.id === own.id,
})
