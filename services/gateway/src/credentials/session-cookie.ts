import type { FastifyRequest } from 'fastify'
import type { Route } from '../context.ts'

/** Whether a route is for an owner's browser: it reads, sets or clears the session cookie. */
export const isOwners = ({ http }: Route): boolean =>
  http.auth === 'session' || http.auth === 'owner' || http.sessionCookie !== undefined

/**
 * The owner's session cookie. Over https it has the `__Host-` prefix, which browsers accept only from this very host; a
 * plain-http devnet cannot use that name, so it has another.
 */
const nameFor = (request: FastifyRequest): string => (request.server.isSecureOrigin ? '__Host-callboard' : 'callboard')

const options = (request: FastifyRequest) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: request.server.isSecureOrigin,
})

export const sessionCookie = {
  nameFor,
  read: (request: FastifyRequest): string | undefined => request.cookies[nameFor(request)],
  set: (request: FastifyRequest, token: string, expiresAt: string): string =>
    request.server.serializeCookie(nameFor(request), token, { ...options(request), expires: new Date(expiresAt) }),
  cleared: (request: FastifyRequest): string =>
    request.server.serializeCookie(nameFor(request), '', { ...options(request), maxAge: 0 }),
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the public base URL is https. */
    isSecureOrigin: boolean
    /** The origin of the public base URL. */
    publicOrigin: string
  }
}
