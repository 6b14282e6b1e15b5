import { z } from 'zod'
import { operation } from '../../operation.ts'
import { freshSignatureRequired, notFound, unauthorized, unavailable } from '../../refusals.ts'
import { AgentClientId, AgentLabel, AgentSummary, AllowanceUsd, Descendants, Scope } from '../../schemas/agent.ts'
import { Timestamp, Usd } from '../../schemas/words.ts'
import { MAX_LINKS } from './linking.ts'

const owners = { auth: 'session', stability: 'internal' } as const

export const list = operation({
  id: 'agents.list',
  summary: 'The owner’s live linked agents',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({
    agents: z.array(AgentSummary),
    /** Absent if there are none: agents whose end waits for another service. Their Router keys may still work. */
    ending: z.array(z.object({ clientId: AgentClientId, label: AgentLabel })).optional(),
  }),
  errors: [unauthorized],
})

export const edit = operation({
  id: 'agents.edit',
  summary: 'Set an agent’s daily Router allowance',
  timeoutMs: 8_000,
  http: { method: 'PATCH', path: '/api/agents/:clientId', ...owners, limit: 'manage', ok: 200 },
  input: z.strictObject({ clientId: z.string().max(64), routerAllowanceUsd: AllowanceUsd }),
  output: z.object({ agent: AgentSummary }),
  errors: [unauthorized, notFound, freshSignatureRequired, unavailable],
})

/**
 * Ends what the agent had linked itself on a trusted device, too; `descendants=keep` leaves those agents to their
 * ancestor, or to the owner alone. An id of no agent is not found: other programs end at `/api/auth/grants`.
 */
export const unlink = operation({
  id: 'agents.unlink',
  summary:
    'End an agent’s link, its tokens and Router keys, and everything that descends from it; a repeated request is not an error',
  timeoutMs: 10_000,
  http: { method: 'DELETE', path: '/api/agents/:clientId', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ clientId: z.string().max(64), descendants: Descendants.optional() }),
  output: z.object({}),
  errors: [unauthorized, notFound, unavailable],
})

export const listDevices = operation({
  id: 'agents.listDevices',
  summary: 'The devices of the owner’s agents, and what is approved from them without asking',
  timeoutMs: 5_000,
  http: { method: 'GET', path: '/api/agents/devices', ...owners, limit: 'read', ok: 200 },
  input: z.strictObject({}),
  output: z.object({
    devices: z.array(
      z.object({
        device: AgentLabel,
        agents: z.number().int().nonnegative(),
        trust: z
          .object({
            since: Timestamp,
            scopes: z.array(Scope),
            /** What all agents approved without asking may spend together per day, and how much of it is allotted. */
            allowanceUsd: Usd,
            allowanceInUseUsd: Usd,
          })
          .nullable(),
        /** Agents of the device that were approved without asking; they end with the trust unless kept. */
        automatic: z.number().int().nonnegative(),
      }),
    ),
    /** How many devices more there are than fit into an answer; absent if there are none. */
    more: z.number().int().positive().optional(),
  }),
  errors: [unauthorized],
})

/** What the trust approved ends with it, unless `descendants=keep`. */
export const distrustDevice = operation({
  id: 'agents.distrustDevice',
  summary:
    'Stop approving agents of a device without asking, and end those that were approved this way; a repeated request is not an error',
  timeoutMs: 10_000,
  http: { method: 'DELETE', path: '/api/agents/devices/:device/trust', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ device: z.string().max(64), descendants: Descendants.optional() }),
  output: z.object({}),
  errors: [unauthorized, unavailable],
})

/** Only the owner can say that they have seen what was approved without asking; reading a list does not count. */
export const acknowledge = operation({
  id: 'agents.acknowledge',
  summary: 'Record that the owner has seen agents that were linked without asking; a repeated request is not an error',
  timeoutMs: 5_000,
  http: { method: 'POST', path: '/api/agents/acknowledge', ...owners, limit: 'manage', ok: 204 },
  input: z.strictObject({ clientIds: z.array(AgentClientId).min(1).max(MAX_LINKS) }),
  output: z.object({}),
  errors: [unauthorized],
})
