import { agents, oauth, router } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import { callAs, type OwnerRequest } from '../owner/owner.ts'
import type { Kind, Thing } from './things.ts'

/** What happens to the agents that descend from it. */
type Descendants = 'end' | 'keep'

interface Ending {
  readonly id: string
  readonly descendants: Descendants
}

type End = (asking: OwnerRequest, ending: Ending) => Promise<object | undefined>

const ENDS: Readonly<Record<Kind, End>> = {
  agent: (asking, { id: clientId, descendants }) => callAs(asking, agents.unlink, { clientId, descendants }),
  program: (asking, { id }) => callAs(asking, oauth.endClientGrant, { id }),
  key: (asking, { id }) => callAs(asking, oauth.deleteKey, { id }),
  'router-key': (asking, { id }) => callAs(asking, router.deleteKey, { id }),
  session: (asking, { id }) => callAs(asking, oauth.endSession, { id }),
  device: (asking, { id: device, descendants }) => callAs(asking, agents.distrustDevice, { device, descendants }),
  backup: (asking, { id: device }) => callAs(asking, agents.deleteBackup, { device }),
}

/** Ends a thing of an owner's. A thing that no longer exists counts as ended. @returns the refusal, if there is one */
export async function endThing(
  asking: OwnerRequest,
  { kind, id }: Pick<Thing, 'kind' | 'id'>,
  descendants: Descendants,
): Promise<Refusal | undefined> {
  const answer = await ENDS[kind](asking, { id, descendants })
  return isRefusal(answer) && answer.refusal !== 'not_found' ? answer : undefined
}
