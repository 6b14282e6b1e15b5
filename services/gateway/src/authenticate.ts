import type { Caller } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import { callerOf } from './caller-of.ts'
import { Refused } from './errors.ts'
import type { Hook } from './kit.ts'
import { limitFailures } from './rate-limit.ts'

/**
 * Establishes the caller of a route that wants one: a bearer credential where the route says bearer, an agent's access
 * token where it says agent, the session cookie where it says session; none stands in for another.
 */
export const authenticate: Hook = async (request, _reply, route, kit) => {
  const { auth } = route.http
  const caller = await callerOf(request, auth === 'session' ? 'session' : 'bearer', kit)
  if (caller && (auth !== 'agent' || caller.kind === 'agent') && isMeantFor(request, caller)) {
    request.state.caller = caller
    return
  }
  await limitFailures(request, kit)
  throw new Refused({ refusal: 'unauthorized' })
}

/** Makes a caller known where the route can do without one: a credential that is worth nothing counts as none. */
export const recognise: Hook = async (request, _reply, _route, kit) => {
  const caller = await callerOf(request, 'bearer', kit)
  if (caller && isMeantFor(request, caller)) request.state.caller = caller
}

/** A token for one of our endpoints alone is good there and nowhere else (RFC 8707). No endpoint of the contract is one. */
const isMeantFor = (request: FastifyRequest, caller: Caller): boolean =>
  !('audience' in caller) || caller.audience === request.server.publicOrigin

/** An access token must have been granted what the route needs. An API key has no scopes: it may do all. */
export const requireScope: Hook = (request, _reply, route) => {
  const { caller } = request.state
  const { scope } = route.http
  if (scope && 'scopes' in caller && !caller.scopes.includes(scope))
    throw new Refused({ refusal: 'insufficient_scope' })
}
