import type { FastifyRequest } from 'fastify'
import { usesBasic } from './client-credentials.ts'

const REALM = 'callboard'

/** Outside of `error_description`'s characters (RFC 6749 §5.2): all but printable ASCII, and `"` and `\`. */
const OUTSIDE = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu
const STAND_INS: Readonly<Record<string, string>> = { '"': "'", '’': "'", '“': "'", '”': "'", '–': '-', '\\': '/' }

/** A sentence as an `error_description` may say it, in a body or in a challenge. */
export const errorDescription = (text: string): string =>
  text.replace(OUTSIDE, (character) => STAND_INS[character] ?? '?').slice(0, 400)

/** What a refusal of 401 or 403 asks for. */
interface Asked {
  readonly code: string
  readonly status: number
  readonly message: string
}

/**
 * The `WWW-Authenticate` of a refusal, when it has one: RFC 6750 §3 with the resource metadata of RFC 9728 §5.1. On the
 * OAuth surface only a client that used Basic is challenged, for OAuth clients take any challenge there as the end.
 */
export function challengeOf(request: FastifyRequest, { code, status, message }: Asked): string | undefined {
  const http = request.routeOptions.config.route?.http
  const hadBearer = /^bearer( |$)/i.test(request.headers.authorization ?? '')
  if (http?.surface === 'oauth' && !http.registrationToken) {
    return code === 'invalid_client' && usesBasic(request) ? `Basic realm="${REALM}", charset="UTF-8"` : undefined
  }
  if (code === 'insufficient_scope') return bearer(request, { error: code, message, scope: http?.scope })
  if (status !== 401) return undefined
  const wantsBearer = http?.auth === 'bearer' || http?.auth === 'agent' || http?.registrationToken
  // Who brought no bearer is told where to get one, and not of an error (RFC 6750 §3.1).
  return bearer(request, wantsBearer && hadBearer && code === 'unauthorized' ? { error: 'invalid_token', message } : {})
}

function bearer(
  request: FastifyRequest,
  { error, message, scope }: { error?: string; message?: string; scope?: string | undefined },
): string {
  const parameters = {
    realm: REALM,
    error,
    error_description: error && message && errorDescription(message),
    scope,
    resource_metadata: `${request.server.publicOrigin}/.well-known/oauth-protected-resource`,
  }
  const pairs = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []))
  return `Bearer ${pairs.join(', ')}`
}
