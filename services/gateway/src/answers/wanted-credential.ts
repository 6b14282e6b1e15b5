import type { FastifyRequest } from 'fastify'
import type { Route } from '../context.ts'

/** What each kind of route takes, as `WWW-Authenticate` may say it, too. */
const WANTED: Partial<Readonly<Record<Route['http']['auth'], string>>> = {
  bearer: 'an API key (cb_key_) or an access token (cb_access_), as Authorization: Bearer',
  agent: 'an agent’s access token (cb_access_), as Authorization: Bearer',
  router_key: 'a Router key (cb_router_), as Authorization: Bearer or as x-api-key',
  session: 'the session of an owner, which signing in opens: POST /api/auth/session',
}

/** What a 401 says that has nothing of its own to say: whether a credential came, and which one the route takes. */
export function wantedCredential({ headers, routeOptions }: FastifyRequest): string | undefined {
  const { route } = routeOptions.config
  const wanted = route && WANTED[route.http.auth]
  if (!wanted) return undefined
  const came = headers.authorization !== undefined || headers['x-api-key'] !== undefined || headers.cookie !== undefined
  const what = came
    ? 'The credential is unknown, expired, revoked or of another kind'
    : 'No credential came with the request'
  return `${what}; this route takes ${wanted}.`
}
