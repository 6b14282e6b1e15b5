import { z } from 'zod'
import { event } from '../event.ts'
import { AgentClientId, AgentLabel, Scope } from '../schemas/agent.ts'
import { Address, Timestamp } from '../schemas/words.ts'

/** An owner granted an agent wallet something. */
export const agentLinked = event({
  id: 'agent.linked',
  version: 1,
  summary: 'An agent was linked to an owner',
  key: 'linkId',
  data: z.object({
    linkId: z.string(),
    clientId: AgentClientId,
    owner: Address,
    wallet: Address,
    label: AgentLabel,
    device: AgentLabel.nullable(),
    scopes: z.array(Scope),
    linkedAt: Timestamp,
    /** `trusted_device`: without asking the owner, on the word of the agent whose link is the parent. */
    approvedBy: z.enum(['owner', 'trusted_device']).optional(),
    parentLinkId: z.string().optional(),
  }),
})

/** The link is over; its tokens were void before this was written. */
export const agentRevoked = event({
  id: 'agent.revoked',
  version: 1,
  summary: 'An agent’s link ended',
  key: 'linkId',
  data: z.object({
    linkId: z.string(),
    clientId: AgentClientId,
    owner: Address,
    revokedAt: Timestamp,
    /**
     * `reuse`: a used refresh token came again. `revoked`: its tokens were revoked (RFC 7009). `parent`: the link ended whose
     * token had asked for it. `trust`: the owner's trust in the device ended that had approved it.
     */
    by: z.enum(['owner', 'agent', 'relink', 'reuse', 'revoked', 'parent', 'trust']),
  }),
})

/**
 * Tokens ended their own family; the service that granted it may have more to end. The family of an agent has the id of
 * its link.
 */
export const familyEnded = event({
  id: 'family.ended',
  version: 1,
  summary: 'A token family ended because of its tokens',
  key: 'familyId',
  data: z.object({
    familyId: z.string(),
    clientId: z.string(),
    owner: Address,
    because: z.enum(['reuse', 'revoked']),
    endedAt: Timestamp,
  }),
})
