import { type Caller, oauth } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../context.ts'
import { restOfGuesses } from '../hooks/rate-limit.ts'
import { sessionCookie } from './session-cookie.ts'

const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i
export const LONGEST_CREDENTIAL = 512

/** The bearer credential of a request, unverified. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  BEARER.exec(request.headers.authorization ?? '')?.[1]

/**
 * The caller behind a request's bearer credential or session cookie; undefined if there is none, or an invalid one.
 * @throws BusFault when oauth is unavailable
 */
export async function callerOf(
  request: FastifyRequest,
  kind: 'bearer' | 'session',
  ctx: GatewayContext,
): Promise<Caller | undefined> {
  const credential = kind === 'session' ? sessionCookie.read(request) : bearerOf(request)
  if (!credential || credential.length > LONGEST_CREDENTIAL) return undefined
  const { caller, retryAfterSeconds } = await ctx.resources.introspections.worthOf(credential, kind, {
    ask: (input) => ctx.call(oauth.introspect, input),
    restOf: () => restOfGuesses(request, credential, ctx),
  })
  request.state.unexaminedFor = retryAfterSeconds
  // Nothing is known of a session that was not examined.
  if (kind === 'session' && retryAfterSeconds === undefined) request.state.session = openedBy(credential, caller)
  return caller
}

function openedBy(token: string, caller: Caller | undefined): FastifyRequest['state']['session'] {
  if (caller?.kind !== 'session') return null
  const { sessionId: id, owner, expiresAt } = caller
  return { id, token, owner, expiresAt }
}
