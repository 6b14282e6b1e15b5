import type { Caller } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'
import { callerOf } from '../credentials/caller-of.ts'

/**
 * Establishes the caller of a route that wants one: a bearer credential where the route says bearer, an agent's access
 * token where it says agent, the session cookie where it says session; none stands in for another.
 */
export const authenticate: Hook = async (request, _reply, route, ctx) => {
  const { auth } = route.http
  const caller = await callerOf(request, auth === 'session' ? 'session' : 'bearer', ctx)
  if (caller && (auth !== 'agent' || caller.kind === 'agent') && isMeantFor(request, caller)) {
    request.state.caller = caller
    return
  }
  throw unauthorized(request)
}

function unauthorized({ state: { unexaminedFor } }: FastifyRequest): Refused {
  if (unexaminedFor === undefined) return new Refused({ refusal: 'unauthorized' })
  const message = 'Too many unknown credentials came from this network; this one was not looked at.'
  return new Refused({ refusal: 'unauthorized', message, retryAfterSeconds: unexaminedFor })
}

/**
 * Establishes the owner of a route that takes any credential of theirs: the bearer that is there, else the session cookie.
 * What else would ask for a credential asks for an owner here.
 */
export const authenticateOwner: Hook = async (request, _reply, _route, ctx) => {
  const kind = request.headers.authorization === undefined ? 'session' : 'bearer'
  const caller = await callerOf(request, kind, ctx)
  if (!caller || !isMeantFor(request, caller)) throw new Refused({ refusal: 'owner_required' })
  request.state.caller = caller
}

/** Makes a caller known where the route can do without one: a credential that is worth nothing counts as none. */
export const recognise: Hook = async (request, _reply, _route, ctx) => {
  const caller = await callerOf(request, 'bearer', ctx)
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
