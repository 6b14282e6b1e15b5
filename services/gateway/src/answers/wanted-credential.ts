import type { FastifyRequest } from 'fastify'
import type { Route } from '../context.ts'

/** The credential that each kind of route takes, in words that are also valid in `WWW-Authenticate`. */
const WANTED: Partial<Readonly<Record<Route['http']['auth'], string>>> = {
  bearer: 'an API key (cb_key_) or an access token (cb_access_), as Authorization: Bearer',
  agent: 'an agent’s access token (cb_access_), as Authorization: Bearer',
  router_key: 'a Router key (cb_router_), as Authorization: Bearer or as x-api-key',
  session: 'an owner’s session, which you open by signing in: POST /api/auth/session',
}

/** The message of a 401 without one of its own: whether a credential was sent, and which one the route takes. */
export function wantedCredential({ headers, routeOptions }: FastifyRequest): string | undefined {
  const { route } = routeOptions.config
  const wanted = route && WANTED[route.http.auth]
  if (!wanted) return undefined
  const came = headers.authorization !== undefined || headers['x-api-key'] !== undefined || headers.cookie !== undefined
  const what = came ? 'The credential is unknown, expired, revoked or of another kind' : 'The request has no credential'
  return `${what}. This route takes ${wanted}.`
}
