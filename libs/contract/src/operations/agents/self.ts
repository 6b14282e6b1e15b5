import { z } from 'zod'
import { nameSchemas } from '../../named-schemas.ts'
import { operation } from '../../operation.ts'
import { notAnAgent, ownerApprovalRequired, unauthorized, unavailable } from '../../refusals.ts'
import { AgentSelf, Sibling, StakeView } from '../../schemas/agent.ts'
import { More } from '../../schemas/words.ts'
import { RouterView } from '../router/index.ts'

const agents = { auth: 'agent', stability: 'beta' } as const

export const self = operation({
  id: 'agents.self',
  summary: 'The agent and its owner',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/self', ...agents, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: AgentSelf,
  errors: [unauthorized],
})

export const unlinkSelf = operation({
  id: 'agents.unlinkSelf',
  summary: 'End the agent’s own link, its tokens and Router keys',
  timeoutMs: 10_000,
  http: { method: 'DELETE', path: '/api/agents/self', auth: 'bearer', stability: 'beta', limit: 'manage', ok: 204 },
  input: z.strictObject({}),
  output: z.object({}),
  errors: [unauthorized, notAnAgent, unavailable],
})

export const siblings = operation({
  id: 'agents.siblings',
  summary: 'The agents of the same owner',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/self/siblings', ...agents, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({ siblings: z.array(Sibling), more: More }),
  errors: [unauthorized],
})

const routers = { ...agents, scope: 'router.use' } as const

export const selfRouter = operation({
  id: 'agents.selfRouter',
  summary: 'The agent’s Router allowance, and the owner’s balance',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/self/router', ...routers, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: RouterView,
  errors: [unauthorized, unavailable],
})

export const selfStake = operation({
  id: 'agents.selfStake',
  summary: 'The stake of the agent’s owner, and its value per day on the Router',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/self/stake', ...agents, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: StakeView,
  errors: [unauthorized, unavailable],
})

const RouterKeyAnswer = z.object({ router_key: z.string(), router_base_url: z.url() })

export const createRouterKey = operation({
  id: 'agents.createRouterKey',
  summary: 'Create a Router key on the agent’s allowance; older ones end',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/agents/self/router-key', ...routers, limit: 'manage', ok: 200 },
  input: z.strictObject({}),
  output: RouterKeyAnswer,
  errors: [unauthorized, unavailable],
})

export const createBalanceKey = operation({
  id: 'agents.createBalanceKey',
  summary: 'Create a Router key on the owner’s balance; the agent’s older ones end',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/agents/self/router-balance-key', ...routers, limit: 'manage', ok: 200 },
  input: z.strictObject({}),
  output: RouterKeyAnswer,
  errors: [unauthorized, ownerApprovalRequired, unavailable],
})

nameSchemas({ RouterKey: RouterKeyAnswer })
