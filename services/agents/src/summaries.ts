import { type AgentSummary, type OutputOf, oauth, router } from '@callboard/contract'
import { type Address, isoTime, isRefusal } from '@callboard/values'
import type { AgentsCallingContext } from './context.ts'
import { plainUsd } from './domain/usd.ts'
import { linksOf } from './store/link.repository.ts'
import type { LinkTable } from './store/tables.ts'
import { unlessRouterUnavailable } from './unavailable.ts'

/** Live links in the form shown to their owner. */
export async function summariesOf(
  ctx: AgentsCallingContext,
  owner: Address,
  links: readonly LinkTable[],
): Promise<AgentSummary[]> {
  const [times, spent, live] = await Promise.all([
    timesOf(ctx, links),
    spentOf(ctx, owner, links),
    linksOf(ctx.db, owner, ['live']),
  ])
  return links.map((link) => ({
    clientId: link.client_id,
    wallet: link.wallet,
    label: link.label,
    device: link.device,
    scopes: link.scopes,
    linkedAt: isoTime(link.linked_at.getTime()),
    lastUsedAt: times.lastUsedAt[link.id] ?? null,
    ...endOf(times.endsAt?.[link.id]),
    router: routerOf(link, spent),
    approval: approvalOf(link, live),
    descendants: descendantsIn(live, link.id).length,
  }))
}

function approvalOf(link: LinkTable, live: readonly LinkTable[]): AgentSummary['approval'] {
  const parent = live.find(({ id }) => id === link.parent_id)
  return {
    by: link.approved_by,
    parent: parent ? { clientId: parent.client_id, label: parent.label } : null,
    seen: link.approved_by !== 'trusted_device' || link.seen_at !== null,
  }
}

/** Descent has no cycles, so this ends. */
function descendantsIn(live: readonly LinkTable[], id: string): LinkTable[] {
  const children = live.filter(({ parent_id }) => parent_id === id)
  return [...children, ...children.flatMap((child) => descendantsIn(live, child.id))]
}

/** When links were last used, and when they end. */
async function timesOf(
  ctx: AgentsCallingContext,
  links: readonly LinkTable[],
): Promise<OutputOf<typeof oauth.lastUses>> {
  if (links.length === 0) return { lastUsedAt: {} }
  const times = await ctx.call(oauth.lastUses, { linkIds: links.map(({ id }) => id) })
  return isRefusal(times) ? { lastUsedAt: {} } : times
}

const endOf = (endsAt: string | undefined) => (endsAt === undefined ? {} : { endsAt })

/** What links with a Router key have spent today; undefined while the Router is unavailable. */
async function spentOf(
  ctx: AgentsCallingContext,
  owner: Address,
  links: readonly LinkTable[],
): Promise<Record<string, string> | undefined> {
  const linkIds = links.flatMap(({ id, may_have_key }) => (may_have_key ? id : []))
  if (linkIds.length === 0) return {}
  const spent = await unlessRouterUnavailable(ctx, () => ctx.call(router.spentToday, { owner, linkIds }))
  return isRefusal(spent) ? undefined : spent.spentUsd
}

function routerOf(link: LinkTable, spent: Record<string, string> | undefined): AgentSummary['router'] {
  if (!link.scopes.includes('router.use')) return null
  if (link.may_have_key && !spent) return null
  return { allowanceUsd: plainUsd(link.allowance_usd), spentTodayUsd: plainUsd(spent?.[link.id] ?? '0') }
}
