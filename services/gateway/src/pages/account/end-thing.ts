import { agents, oauth } from '@callboard/contract'
import { isRefusal, type Refusal } from '@callboard/values'
import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../context.ts'
import { callAs, type Owner } from '../owner/owner.ts'
import type { Kind, Thing } from './things.ts'

/** What becomes of the agents that descend from it. */
type Descendants = 'end' | 'keep'

type End = (
  owner: Owner,
  request: FastifyRequest,
  ctx: GatewayContext,
  ending: { readonly id: string; readonly descendants: Descendants },
) => Promise<object | Refusal>

const ENDS: Readonly<Record<Kind, End>> = {
  agent: (owner, request, ctx, { id: clientId, descendants }) =>
    callAs(owner, request, ctx, agents.unlink, { clientId, descendants }),
  program: (owner, request, ctx, { id }) => callAs(owner, request, ctx, oauth.endClientGrant, { id }),
  key: (owner, request, ctx, { id }) => callAs(owner, request, ctx, oauth.deleteKey, { id }),
  session: (owner, request, ctx, { id }) => callAs(owner, request, ctx, oauth.endSession, { id }),
  device: (owner, request, ctx, { id: device, descendants }) =>
    callAs(owner, request, ctx, agents.distrustDevice, { device, descendants }),
}

/** Ends a thing of an owner's. What is not there any more is as good as ended. @returns the refusal, if there is one */
export async function endThing(
  owner: Owner,
  request: FastifyRequest,
  ctx: GatewayContext,
  { kind, id }: Pick<Thing, 'kind' | 'id'>,
  descendants: Descendants,
): Promise<Refusal | undefined> {
  const answer = await ENDS[kind](owner, request, ctx, { id, descendants })
  return isRefusal(answer) && answer.refusal !== 'not_found' ? answer : undefined
}
