import type { AgentIdentity, catalog } from '@callboard/contract'
import { type Address, isoTime } from '@callboard/values'
import type { CatalogContext, CatalogHandler } from '../context.ts'
import { foreignCursor, openPlace, type Paging, sealPlace } from '../cursors.ts'
import { AGENT_ORDER, AgentPlace } from '../domain/places.ts'
import { progressOf } from '../store/chain-progress.repository.ts'
import { type AgentRow, agentPage, countAgents } from '../store/identity/agent.repository.ts'
import { feedbackOn } from '../store/identity/feedback.repository.ts'
import { atOneMoment, type CatalogTx } from '../store/tables.ts'

/** A wallet without an agent is not an error: not registered yet and never registered look the same on a chain. */
export const identity: CatalogHandler<typeof catalog.identity> = async ({ wallet, cursor, limit }, ctx) => {
  const { db, clock, config, resources } = ctx
  const paging: Paging = {
    keys: config.LINK_SIGNING_KEY,
    operation: 'catalog.identity',
    order: AGENT_ORDER,
    question: { wallet },
  }
  const after = cursor === undefined ? undefined : openPlace(paging, AgentPlace, cursor)
  if (cursor !== undefined && !after) return foreignCursor()
  return atOneMoment(db, async (tx) => {
    const rows = await agentPage(tx, wallet, limit + 1, after)
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    const agents: AgentIdentity[] = []
    for (const agent of page) agents.push(await shown(ctx, tx, agent, wallet))
    const total = await resources.agentTotals(wallet, () => countAgents(tx, wallet))
    return {
      ...{ wallet, generatedAt: isoTime(clock.now()), total, agents },
      ...(last ? { nextCursor: sealPlace(paging, placeOf(last)) } : {}),
      chains: await progressOf(tx, clock.now()),
    }
  })
}

const placeOf = ({ network, registry, agentId }: AgentRow): AgentPlace => ({ network, registry, agentId })

async function shown(ctx: CatalogContext, tx: CatalogTx, agent: AgentRow, wallet: Address): Promise<AgentIdentity> {
  const { network, registry, agentId, owner, registeredAt, registrationTx, uri } = agent
  const roles = [
    owner === wallet ? (['owner'] as const) : [],
    agent.wallet === wallet ? (['agent_wallet'] as const) : [],
  ]
  return {
    ...{ network, agentRegistry: `${network}:${registry}`, agentId, roles: roles.flat(), owner },
    ...{ agentWallet: agent.wallet, registrationTx },
    registeredAt: registeredAt && isoTime(registeredAt.getTime()),
    claimed: { registrationUri: uri },
    feedback: await feedback(ctx, tx, agent),
  }
}

/** Keyed by the agent's current state: another owner or wallet has other payers. */
function feedback({ resources, clock, config }: CatalogContext, tx: CatalogTx, agent: AgentRow) {
  const { network, registry, agentId, owner, wallet } = agent
  return resources.feedback([network, registry, agentId, owner, wallet].join(' '), async () => {
    const readAt = isoTime(clock.now())
    return { ...(await feedbackOn(tx, agent, config.DUST_USD)), readAt }
  })
}
