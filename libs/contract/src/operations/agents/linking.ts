import { z } from 'zod'
import { operation } from '../../operation.ts'
import {
  alreadyDecided,
  freshSignatureRequired,
  invalidAgentSignature,
  invalidRequest,
  invalidScope,
  linkLimit,
  notFound,
  rateLimited,
  unauthorized,
  unavailable,
} from '../../refusals.ts'
import { AgentClientId, AgentLabel, AllowanceUsd, ClaimedLabel, Scope } from '../../schemas/agent.ts'
import { Requester } from '../../schemas/requester.ts'
import { Address, queryBoolean, Timestamp, Usd } from '../../schemas/words.ts'

/** The most live links that an owner may have. */
export const MAX_LINKS = 20

const USD_TEXT = /^\d{1,4}(\.\d{1,2})?$/

/** Form values are always text. */
const FormUsd = z.preprocess(
  (value) => (typeof value === 'string' && USD_TEXT.test(value) ? Number(value) : value),
  AllowanceUsd,
)

export const deviceAuthorization = operation({
  id: 'agents.deviceAuthorization',
  summary: 'Request a link to an owner (RFC 8628 §3.1), proven by the agent’s wallet',
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
    agent_signature: z
      .string()
      .min(1)
      .max(2 + 2 * 8_192),
    label: ClaimedLabel,
    device: ClaimedLabel.optional(),
    trust_device: queryBoolean.optional(),
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

/** A request to be linked, as shown to its owner: what is proven, what the edge saw, and what is only claimed. */
export const LinkRequest = z.object({
  userCode: z.string(),
  proven: z.object({ wallet: Address }),
  claimed: z.object({ label: AgentLabel, device: AgentLabel.nullable() }),
  seen: z.object({ requester: Requester, askedAt: Timestamp }),
  expiresAt: Timestamp,
  scopes: z.array(Scope),
  suggestedAllowanceUsd: z.number().nullable(),
  asksForTrust: z.boolean(),
  /**
   * The owner's trust in a device of the claimed name: once approved, the agent may link others on it, within this
   * limit. Null without such a trust; absent if a service of the previous release answers.
   */
  trusted: z.object({ allowanceUsd: Usd }).nullable().optional(),
  /** The live link of this wallet that an approval would end. */
  replaces: z.object({ label: AgentLabel, linkedAt: Timestamp }).nullable(),
  /** Live links of the owner that would remain. */
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
  summary: 'Approve or deny a link request, as the signed-in owner',
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
  errors: [unauthorized, notFound, rateLimited, alreadyDecided, linkLimit, invalidScope, freshSignatureRequired],
})
