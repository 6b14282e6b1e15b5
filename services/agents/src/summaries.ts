import { type AgentSummary, oauth, router } from '@callboard/contract'
import { type Address, isoTime, isRefusal } from '@callboard/values'
import { unlessAway } from './away.ts'
import { plainUsd } from './domain/usd.ts'
import type { AgentsContext } from './kit.ts'
import type { LinkTable } from './store/tables.ts'

/** Links as their owner sees them. */
export async function summariesOf(
  ctx: AgentsContext,
  owner: Address,
  links: readonly LinkTable[],
): Promise<AgentSummary[]> {
  const [lastUses, spent] = await Promise.all([lastUsesOf(ctx, links), spentOf(ctx, owner, links)])
  return links.map((link) => ({
    clientId: link.client_id,
    wallet: link.wallet,
    label: link.label,
    device: link.device,
    scopes: link.scopes,
    linkedAt: isoTime(link.linked_at.getTime()),
    lastUsedAt: lastUses[link.id] ?? null,
    router: routerOf(link, spent),
  }))
}

async function lastUsesOf(ctx: AgentsContext, links: readonly LinkTable[]): Promise<Record<string, string>> {
  if (links.length === 0) return {}
  const uses = await ctx.call(oauth.lastUses, { linkIds: links.map(({ id }) => id) })
  return isRefusal(uses) ? {} : uses.lastUsedAt
}

/** What links with a Router key have spent today; undefined while the Router is away. */
async function spentOf(
  ctx: AgentsContext,
  owner: Address,
  links: readonly LinkTable[],
): Promise<Record<string, string> | undefined> {
  const linkIds = links.flatMap(({ id, may_have_key }) => (may_have_key ? id : []))
  if (linkIds.length === 0) return {}
  const spent = await unlessAway(ctx, 'Router', () => ctx.call(router.spentToday, { owner, linkIds }))
  return isRefusal(spent) ? undefined : spent.spentUsd
}

function routerOf(link: LinkTable, spent: Record<string, string> | undefined): AgentSummary['router'] {
  if (!link.scopes.includes('router.use')) return null
  if (link.may_have_key && !spent) return null
  return { allowanceUsd: plainUsd(link.allowance_usd), spentTodayUsd: plainUsd(spent?.[link.id] ?? '0') }
}
