import type { Auth } from '@callboard/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext, Hook, Route } from '../context.ts'
import { readClientCredentials } from '../credentials/client-credentials.ts'
import { admitLargeBody } from '../input/large-bodies.ts'
import { authenticate, authenticateOwner, recognise, requireScope } from './authenticate.ts'
import { decodePayment, decodePaymentIfAny } from './payment.ts'
import { limitByAddress, limitByCaller } from './rate-limit.ts'
import { readRouterKey } from './router-key.ts'
import { sameOriginOfSession, sameOriginOnWrite } from './same-origin.ts'
import { refuseUnsolicited } from './unsolicited.ts'

type Surface = Exclude<Auth, 'owner'> | 'paid' | 'paidByOwner'
type Row = readonly [hook: Hook, of: readonly Surface[]]

/** All steps in order, each with the kinds of route that take it. */
const TABLE: readonly Row[] = [
  [refuseUnsolicited, ['none', 'bearer', 'session']],
  [limitByAddress, ['none', 'optional', 'client', 'router_key', 'paid']],
  [authenticate, ['bearer', 'agent', 'session']],
  [authenticateOwner, ['paidByOwner']],
  [readRouterKey, ['router_key']],
  [recognise, ['optional']],
  [limitByCaller, ['bearer', 'agent', 'session', 'paidByOwner']],
  [requireScope, ['bearer', 'agent']],
  [sameOriginOnWrite, ['session']],
  [sameOriginOfSession, ['paidByOwner']],
  [readClientCredentials, ['client']],
  [decodePayment, ['paid', 'paidByOwner']],
  [decodePaymentIfAny, ['router_key']],
  [admitLargeBody, ['router_key']],
]

function surfaceOf({ id, http: { paid, auth } }: Route): Surface {
  if (paid) return auth === 'owner' ? 'paidByOwner' : 'paid'
  if (auth === 'owner') throw new Error(`${id} wants any credential of an owner, which only paid routes do`)
  return auth
}

/** The steps of a route, in order, as one. */
export function stepsOf(
  route: Route,
): (request: FastifyRequest, reply: FastifyReply, ctx: GatewayContext) => Promise<void> {
  const surface = surfaceOf(route)
  const hooks = TABLE.filter(([, of]) => of.includes(surface)).map(([hook]) => hook)
  return async (request, reply, ctx) => {
    for (const hook of hooks) {
      const step = hook(request, reply, route, ctx)
      if (step) await step
    }
  }
}
