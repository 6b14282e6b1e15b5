import { z } from 'zod'
import { operation } from '../../operation.ts'
import { accessDenied, alreadyDecided, invalidScope, notFound } from '../../refusals.ts'
import { AgentClientId, Scope } from '../../schemas/agent.ts'
import { Address, Timestamp } from '../../schemas/words.ts'

/** RFC 8628 §3.2: seconds. */
export const DEVICE_CODE_LIFETIME_S = 1_200
export const POLL_INTERVAL_S = 5

/** The purpose under which `agents` seals, for the poller of a grant, what its token answer carries besides tokens. */
export const WITH_TOKENS = 'callboard device grant'

/** The state of a device grant; `expired` follows from the clock, regardless of the stored state. */
export const GrantState = z.enum(['pending', 'approved', 'denied', 'redeemed', 'expired'])
export type GrantState = z.output<typeof GrantState>

const SessionId = z.string().min(1).max(64)
const GrantId = z.string().min(1).max(64)
const LinkId = z.string().min(1).max(64)

export const createGrant = operation({
  id: 'oauth.createGrant',
  summary: 'Start a device grant for a client whose wallet the caller has verified',
  timeoutMs: 5_000,
  input: z.object({ clientId: AgentClientId, scopes: z.array(Scope).min(1) }),
  output: z.object({
    grantId: GrantId,
    deviceCode: z.string(),
    userCode: z.string(),
    expiresAt: Timestamp,
    intervalSeconds: z.number().int().positive(),
  }),
  errors: [],
})

/** A grant as whoever decides on it needs it. The public key belongs to the holder of the device code. */
export const DeviceGrant = z.object({
  grantId: GrantId,
  clientId: AgentClientId,
  scopes: z.array(Scope),
  state: GrantState,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  /** The link that it was approved for; null until then. */
  linkId: LinkId.nullable(),
  /** X25519, base64url: the data waiting for the poller is sealed to it (RFC 9180). */
  sealingKey: z.string(),
})
export type DeviceGrant = z.output<typeof DeviceGrant>

export const findGrant = operation({
  id: 'oauth.findGrant',
  summary: 'A device grant by its user code (case and hyphens do not matter) or by its id',
  timeoutMs: 3_000,
  input: z.union([z.object({ userCode: z.string().max(64) }), z.object({ grantId: GrantId })]),
  output: DeviceGrant,
  errors: [notFound],
})

/**
 * Approves a grant for an owner and opens the token family of the new link, in one transaction with the end of the
 * links it replaces. Approving the same link again gives the same answer.
 */
export const approveGrant = operation({
  id: 'oauth.approveGrant',
  summary: 'Approve a pending device grant: the next poll gets tokens',
  timeoutMs: 5_000,
  input: z.object({
    grantId: GrantId,
    linkId: LinkId,
    owner: Address,
    scopes: z.array(Scope).min(1),
    /** The session in which its owner decided: `access_denied` if it has ended. Absent if a trusted device decided. */
    sessionId: SessionId.optional(),
    replaces: z.array(LinkId).max(20),
    /** What the token answer carries besides tokens, sealed to the grant's key; null for nothing. Base64url. */
    sealed: z.string().max(8_192).nullable(),
    routerUnavailable: z.boolean(),
  }),
  output: z.object({}),
  errors: [notFound, alreadyDecided, invalidScope, accessDenied],
})

export const denyGrant = operation({
  id: 'oauth.denyGrant',
  summary: 'Deny a pending device grant',
  timeoutMs: 5_000,
  input: z.object({ grantId: GrantId }),
  output: z.object({}),
  errors: [notFound, alreadyDecided],
})

export const revokeLink = operation({
  id: 'oauth.revokeLink',
  summary: 'End every token of a link; once this is answered, no gateway accepts one',
  timeoutMs: 5_000,
  input: z.object({ linkId: LinkId }),
  output: z.object({}),
  errors: [],
})

export const lastUses = operation({
  id: 'oauth.lastUses',
  summary:
    'The times at which tokens of links were last used, to the minute, and at which the links end; unused tokens are absent',
  timeoutMs: 3_000,
  input: z.object({ linkIds: z.array(LinkId).max(100) }),
  /** `endsAt`: the previous release omits it. */
  output: z.object({
    lastUsedAt: z.record(z.string(), Timestamp),
    endsAt: z.record(z.string(), Timestamp).optional(),
  }),
  errors: [],
})
