import type { Caller } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { Hook, Route } from '../context.ts'
import { callerOf } from '../credentials/caller-of.ts'

/**
 * Establishes the caller of a route that requires one: a bearer credential for `bearer`, an agent's access token for
 * `agent`, the session cookie for `session`; none replaces another.
 */
export const authenticate: Hook = async (request, _reply, route, ctx) => {
  const { auth } = route.http
  const caller = await callerOf(request, auth === 'session' ? 'session' : 'bearer', ctx)
  if (caller && (auth !== 'agent' || caller.kind === 'agent') && isMeantFor(request, caller, route)) {
    request.state.caller = caller
    return
  }
  throw unauthorized(request)
}

function unauthorized({ state: { unexaminedFor } }: FastifyRequest): Refused {
  if (unexaminedFor === undefined) return new Refused({ refusal: 'unauthorized' })
  const message = 'Too many unknown credentials came from this network. This one was not checked.'
  return new Refused({ refusal: 'unauthorized', message, retryAfterSeconds: unexaminedFor })
}

/**
 * Establishes the owner of a route that takes any credential of theirs: the bearer if there is one, else the session
 * cookie. Other routes would ask for a credential; this one asks for an owner.
 */
export const authenticateOwner: Hook = async (request, _reply, route, ctx) => {
  const kind = request.headers.authorization === undefined ? 'session' : 'bearer'
  const caller = await callerOf(request, kind, ctx)
  if (!caller || !isMeantFor(request, caller, route)) throw new Refused({ refusal: 'owner_required' })
  request.state.caller = caller
}

/** Establishes a caller where one is optional: an invalid credential counts as none. */
export const recognise: Hook = async (request, _reply, route, ctx) => {
  const caller = await callerOf(request, 'bearer', ctx)
  if (caller && isMeantFor(request, caller, route)) request.state.caller = caller
}

/** A token for only one of our resources is valid there alone, and one for this service everywhere (RFC 8707). */
function isMeantFor({ server: { publicOrigin } }: FastifyRequest, caller: Caller, { http }: Route): boolean {
  if (!('audience' in caller) || caller.audience === publicOrigin) return true
  return http.resource === true && caller.audience === publicOrigin + http.path
}

/** An access token must have been granted the route's scope. An API key has no scopes: it may do everything. */
export const requireScope: Hook = (request, _reply, route) => {
  const { caller } = request.state
  const { scope } = route.http
  if (scope && 'scopes' in caller && !caller.scopes.includes(scope))
    throw new Refused({ refusal: 'insufficient_scope' })
}
