import type { FastifyRequest } from 'fastify'
import { usesBasic } from '../credentials/client-credentials.ts'
import { isOwners, sessionCookie } from '../credentials/session-cookie.ts'

const REALM = 'callboard'

/** Characters not allowed in `error_description` (RFC 6749 §5.2): all but printable ASCII, and `"` and `\`. */
const OUTSIDE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu
const STAND_INS: Readonly<Record<string, string>> = { '"': "'", '’': "'", '“': "'", '”': "'", '–': '-', '\\': '/' }

/** Converts a sentence to the characters of `error_description`, for a body or a challenge. */
export const errorDescription = (text: string): string =>
  text.replace(OUTSIDE, (character) => STAND_INS[character] ?? '?').slice(0, 400)

/** The parts of a 401 or 403 refusal that its challenge depends on. */
interface Asked {
  readonly code: string
  readonly status: number
  readonly message: string
}

/**
 * The `WWW-Authenticate` of a refusal, if it has one: RFC 6750 §3 with the resource metadata of RFC 9728 §5.1. On the
 * OAuth surface only a client that used Basic is challenged, as OAuth clients give up on any challenge there.
 */
export function challengeOf(request: FastifyRequest, { code, status, message }: Asked): string | undefined {
  const { route } = request.routeOptions.config
  const http = route?.http
  const hadBearer = /^bearer( |$)/i.test(request.headers.authorization ?? '')
  if (http?.surface === 'oauth' && !http.registrationToken) {
    return code === 'invalid_client' && usesBasic(request) ? `Basic realm="${REALM}", charset="UTF-8"` : undefined
  }
  if (code === 'insufficient_scope') return bearer(request, { error: code, message, scope: http?.scope })
  if (status !== 401) return undefined
  if (route && isOwners(route)) return cookieOf(request)
  const wantsBearer = http?.auth === 'bearer' || http?.auth === 'agent' || http?.registrationToken
  // Without a bearer, or with an unexamined one, the answer says where to get one, without an error (RFC 6750 §3.1).
  const isKnownDead = hadBearer && request.state.unexaminedFor === undefined
  return bearer(request, {
    ...(wantsBearer && isKnownDead && code === 'unauthorized' ? { error: 'invalid_token', message } : {}),
    // Clients of a resource of its own ask for the scopes that it names here.
    scope: http?.resource ? http.scope : undefined,
  })
}

/**
 * Where only the session cookie is accepted, a bearer does not help: the client is sent to sign in.
 * @source draft-broyer-http-cookie-auth
 */
const cookieOf = (request: FastifyRequest): string =>
  `Cookie realm="${REALM}", form-action="${request.server.publicOrigin}/signin", cookie-name="${sessionCookie.nameFor(request)}"`

function bearer(
  request: FastifyRequest,
  { error, message, scope }: { error?: string; message?: string; scope?: string | undefined },
): string {
  const { http } = request.routeOptions.config.route ?? {}
  const parameters = {
    realm: REALM,
    error,
    error_description: error && message && errorDescription(message),
    scope,
    resource_metadata: `${request.server.publicOrigin}/.well-known/oauth-protected-resource${http?.resource ? http.path : ''}`,
  }
  const pairs = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []))
  return `Bearer ${pairs.join(', ')}`
}
