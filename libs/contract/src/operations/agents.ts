import { z } from 'zod'
import { operation } from '../operation.ts'
import {
  alreadyDecided,
  invalidAgentSignature,
  invalidRequest,
  invalidScope,
  linkLimit,
  notAnAgent,
  notFound,
  rateLimited,
  unauthorized,
  unavailable,
} from '../refusals.ts'
import { AgentClientId, AgentLabel, AgentSelf, AgentSummary, AllowanceUsd, Scope, Sibling } from '../schemas/agent.ts'
import { Requester } from '../schemas/requester.ts'
import { Address, Timestamp, Usd } from '../schemas/words.ts'
import { RouterView } from './router.ts'

/** Live links an owner may have. */
export const MAX_LINKS = 20

/** In a form every value is text. */
const FormBoolean = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
const FormUsd = z.union([
  AllowanceUsd,
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,2})?$/, 'must be a number of USD')
    .transform(Number)
    .pipe(AllowanceUsd),
])

export const deviceAuthorization = operation({
  id: 'agents.deviceAuthorization',
  summary: 'Ask to be linked to an owner (RFC 8628 §3.1), proven by the agent’s wallet',
  timeoutMs: 10_000,
  http: {
    method: 'POST',
    path: '/oauth/device_authorization',
    auth: 'optional',
    limit: 'link',
    ok: 200,
    stability: 'beta',
    surface: 'oauth',
    forms: true,
    requester: true,
  },
  input: z.object({
    agent_message: z.string().min(1).max(2_048),
    agent_signature: z.string().min(1).max(16_384),
    label: AgentLabel,
    device: AgentLabel.optional(),
    trust_device: FormBoolean.optional(),
    scope: z.string().max(256).optional(),
    router_allowance_usd: FormUsd.optional(),
    client_id: z.string().max(64).optional(),
    requester: Requester,
  }),
  output: z.object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.url(),
    verification_uri_complete: z.url(),
    expires_in: z.number().int().positive(),
    interval: z.number().int().positive(),
    client_id: AgentClientId,
    auto_approved: z.literal(true).optional(),
  }),
  errors: [invalidRequest, invalidScope, invalidAgentSignature, unavailable],
})

/** A request to be linked, as its owner is shown it: what is proven, what the edge saw, and what is only claimed. */
export const LinkRequest = z.object({
  userCode: z.string(),
  proven: z.object({ wallet: Address }),
  claimed: z.object({ label: AgentLabel, device: AgentLabel.nullable() }),
  seen: z.object({ requester: Requester, askedAt: Timestamp }),
  expiresAt: Timestamp,
  scopes: z.array(Scope),
  suggestedAllowanceUsd: z.number().nullable(),
  asksForTrust: z.boolean(),
  /** The live link of this wallet that an approval ends. */
  replaces: z.object({ label: AgentLabel, linkedAt: Timestamp }).nullable(),
  /** Live links of the owner that would stay. */
  linked: z.number().int().nonnegative(),
})
export type LinkRequest = z.output<typeof LinkRequest>

export const readLinkRequest = operation({
  id: 'agents.readLinkRequest',
  summary: 'The request behind a user code, for the signed-in owner; wrong codes are counted',
  timeoutMs: 5_000,
  input: z.object({ userCode: z.string().max(64), requester: Requester }),
  output: LinkRequest,
  errors: [unauthorized, notFound, rateLimited],
})

export const decideLink = operation({
  id: 'agents.decideLink',
  summary: 'Approve or deny a request to be linked, as the signed-in owner',
  timeoutMs: 10_000,
  input: z.object({
    userCode: z.string().max(64),
    requester: Requester,
    decision: z.discriminatedUnion('verdict', [
      z.object({ verdict: z.literal('deny') }),
      z.object({
        verdict: z.literal('approve'),
        scopes: z.array(Scope).min(1),
        routerAllowanceUsd: AllowanceUsd,
        trustDevice: z.boolean(),
      }),
    ]),
  }),
  output: z.object({ request: LinkRequest, routerUnavailable: z.boolean() }),
  errors: [unauthorized, notFound, rateLimited, alreadyDecided, linkLimit, invalidScope],
})

const owners = { auth: 'session', stability: 'internal' } as const

export const list = operation({
  id: 'agents.list',
  summary: 'The live linked agents of the owner',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({ agents: z.array(AgentSummary) }),
  errors: [unauthorized],
})

export const edit = operation({
  id: 'agents.edit',
  summary: 'Set an agent’s daily Router allowance',
  timeoutMs: 8_000,
  http: { method: 'PATCH', path: '/api/agents/:clientId', ...owners, limit: 'manage', ok: 200 },
  input: z.strictObject({ clientId: z.string().max(64), routerAllowanceUsd: AllowanceUsd }),
  output: z.object({ agent: AgentSummary }),
  errors: [unauthorized, notFound, unavailable],
})

export const unlink = operation({
  id: 'agents.unlink',
  summary: 'End an agent’s link, its tokens and Router keys; repeating it is no error',
  timeoutMs: 10_000,
  http: { method: 'DELETE', path: '/api/agents/:clientId', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ clientId: z.string().max(64) }),
  output: z.object({}),
  errors: [unauthorized, unavailable],
})

export const listDevices = operation({
  id: 'agents.listDevices',
  summary: 'Devices of the owner’s agents, and what is approved from them without asking',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/devices', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({
    devices: z.array(
      z.object({
        device: AgentLabel,
        agents: z.number().int().nonnegative(),
        trust: z.object({ since: Timestamp, scopes: z.array(Scope), allowanceUsd: Usd }).nullable(),
      }),
    ),
  }),
  errors: [unauthorized],
})

export const distrustDevice = operation({
  id: 'agents.distrustDevice',
  summary: 'Stop approving agents of a device without asking; repeating it is no error',
  timeoutMs: 5_000,
  http: { method: 'DELETE', path: '/api/agents/devices/:device/trust', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ device: z.string().max(64) }),
  output: z.object({}),
  errors: [unauthorized],
})

const agents = { auth: 'agent', stability: 'beta' } as const

export const self = operation({
  id: 'agents.self',
  summary: 'Who the agent is, and for whom',
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
  output: z.object({ siblings: z.array(Sibling) }),
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

const RouterKeyAnswer = z.object({ router_key: z.string(), router_base_url: z.url() })

export const createRouterKey = operation({
  id: 'agents.createRouterKey',
  summary: 'A new Router key on the agent’s allowance; older ones end',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/agents/self/router-key', ...routers, limit: 'manage', ok: 200 },
  input: z.strictObject({}),
  output: RouterKeyAnswer,
  errors: [unauthorized, unavailable],
})

export const createBalanceKey = operation({
  id: 'agents.createBalanceKey',
  summary: 'A new Router key on the owner’s balance; the agent’s older ones end',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/agents/self/router-balance-key', ...routers, limit: 'manage', ok: 200 },
  input: z.strictObject({}),
  output: RouterKeyAnswer,
  errors: [unauthorized, unavailable],
})
