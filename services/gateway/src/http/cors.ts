import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import { isOwners } from '../credentials/session-cookie.ts'
import type { ServedRoutes } from './served-routes.ts'

/**
 * The headers that clients in a page may send: any, since no cookie comes with them, and the stock clients of OpenAI and
 * Anthropic send a dozen that change with their versions. The wildcard does not cover `Authorization`, and older
 * browsers do not know it, so those that we read are named. The stock x402 client sends `Access-Control-Expose-Headers`.
 * @source Fetch §4.9
 */
const REQUEST_HEADERS = [
  '*',
  'Authorization',
  'x-api-key',
  'anthropic-version',
  'anthropic-beta',
  'Content-Type',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'SIGN-IN-WITH-X',
  'Access-Control-Expose-Headers',
  'traceparent',
  'If-Match',
  'If-None-Match',
  'MCP-Protocol-Version',
  'A2A-Version',
  'A2A-Extensions',
]

const RESPONSE_HEADERS = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Link',
  'Deprecation',
  'X-Request-Id',
  // Where Anthropic's client looks for the id of its request.
  'request-id',
  'ETag',
  'Content-Digest',
  'Signature-Input',
  'Signature',
  'WWW-Authenticate',
  'X-Callboard-Call-Id',
  'X-Callboard-Cost-Usd',
  'X-Callboard-Dropped-Betas',
  'X-Callboard-Max-Output-Tokens',
  'X-Callboard-Receipt',
]

const OPEN: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
  allowedHeaders: REQUEST_HEADERS,
  exposedHeaders: RESPONSE_HEADERS.join(', '),
  maxAge: 600,
}
/** For requests that are not preflights: an OPTIONS that no browser sent in advance is answered like any request. */
const READABLE: FastifyCorsOptions = { ...OPEN, preflight: false }
const CLOSED: FastifyCorsOptions = { origin: false }

const concernsOwners = ({ route, ownerPage }: FastifyContextConfig): boolean =>
  route === undefined ? ownerPage === true : isOwners(route)

/** The methods of a target that other sites may use, each judged by the route that the router would choose for it. */
const openMethods = (served: ServedRoutes, target: string): string[] =>
  served.methodsAt(target).filter((method) => !concernsOwners(served.at(method, target) ?? {}))

/** Whether the Fetch standard calls this a CORS-preflight request. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

/** Answers a preflight for the route of the requested method, and lists the methods that are open there. */
function ofPreflight(served: ServedRoutes, { url, headers }: FastifyRequest): FastifyCorsOptions {
  const asked = served.at(headers['access-control-request-method'] ?? '', url)
  const methods = openMethods(served, url)
  if (asked ? concernsOwners(asked) : methods.length === 0 && served.methodsAt(url).length > 0) return CLOSED
  return methods.length > 0 ? { ...OPEN, methods } : OPEN
}

/** A target without the requested method is closed if all of its methods are. */
const ofUnserved = (served: ServedRoutes, { url }: FastifyRequest): FastifyCorsOptions =>
  served.methodsAt(url).length > 0 && openMethods(served, url).length === 0 ? CLOSED : READABLE

/** Any site may call the public interface, without cookies; the owner's routes are closed to other sites. */
export const corsFor = (served: ServedRoutes) => ({
  delegator: ((request, answer) => {
    if (isPreflight(request)) return answer(null, ofPreflight(served, request))
    if (request.is404 || request.method === 'OPTIONS') return answer(null, ofUnserved(served, request))
    return answer(null, concernsOwners(request.routeOptions.config) ? CLOSED : OPEN)
  }) satisfies FastifyCorsOptionsDelegateCallback,
})
