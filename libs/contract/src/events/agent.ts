import { z } from 'zod'
import { event } from '../event.ts'
import { AgentClientId, AgentLabel, Scope } from '../schemas/agent.ts'
import { Address, Timestamp } from '../schemas/words.ts'

/** An owner granted something to an agent wallet. */
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
    /** `trusted_device`: the owner was not asked; the agent whose link is the parent vouched for it. */
    approvedBy: z.enum(['owner', 'trusted_device']).optional(),
    parentLinkId: z.string().optional(),
  }),
})

/** The link has ended; its tokens were already void when this was written. */
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
     * `reuse`: a used refresh token was presented again. `revoked`: its tokens were revoked (RFC 7009), or its lifetime
     * is over. `parent`: the link whose token had requested it ended. `trust`: the owner stopped trusting the device
     * that had approved it.
     */
    by: z.enum(['owner', 'agent', 'relink', 'reuse', 'revoked', 'parent', 'trust']),
  }),
})

/**
 * A family ended because of its own tokens; the service that granted it may have more to end. An agent's family has the
 * id of its link.
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
    /** `revoked` also says that its lifetime is over: consumers of an earlier release know no third word. */
    because: z.enum(['reuse', 'revoked']),
    endedAt: Timestamp,
  }),
})
