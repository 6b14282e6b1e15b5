import { z } from 'zod'
import { operation } from '../../operation.ts'
import { notFound, unauthorized, unavailable } from '../../refusals.ts'
import { AgentLabel, AgentSummary, AllowanceUsd, Scope } from '../../schemas/agent.ts'
import { Timestamp, Usd } from '../../schemas/words.ts'

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
