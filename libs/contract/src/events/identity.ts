import { event } from '../event.ts'
import { ObservedIdentity } from '../schemas/identity-events.ts'

export const identityChanged = event({
  id: 'identity.changed',
  version: 1,
  summary: 'An ERC-8004 registry logged an event of an agent',
  key: 'agentId',
  data: ObservedIdentity,
})

/** A reorganisation took the log's block out of the chain; it may come back in another. */
export const identityReverted = event({
  id: 'identity.reverted',
  version: 1,
  summary: 'The block of an ERC-8004 registry’s log left the chain',
  key: 'agentId',
  data: ObservedIdentity,
})
