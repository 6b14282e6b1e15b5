import { routes } from '@callboard/contract'
import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import type { FastifyRequest } from 'fastify'
import { OWNER_PAGES } from './pages/paths.ts'
import { isOwners } from './session-cookie.ts'
import { matches } from './unknown-route.ts'

/** What a browser's x402 client sends; the stock one puts `Access-Control-Expose-Headers` on its request. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Access-Control-Expose-Headers',
  'traceparent',
  'If-Match',
  'If-None-Match',
  'MCP-Protocol-Version',
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
  'ETag',
  'WWW-Authenticate',
]

const OPEN: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
  allowedHeaders: REQUEST_HEADERS,
  exposedHeaders: RESPONSE_HEADERS.join(', '),
  maxAge: 600,
}
const CLOSED: FastifyCorsOptions = { origin: false }

const ownersPaths = [
  ...routes()
    .filter(isOwners)
    .map((route) => route.http.path),
  ...OWNER_PAGES,
]

/** What no route of its own answers, a preflight or an unknown method, is judged by its path. */
function concernsOwners(request: FastifyRequest): boolean {
  if (request.is404 || request.method === 'OPTIONS') return ownersPaths.some((path) => matches(path, request.url))
  const { route, ownerPage } = request.routeOptions.config
  return route === undefined ? ownerPage === true : isOwners(route)
}

/** Any site may call the public interface, without cookies; the owner's routes answer no other site at all. */
const delegate: FastifyCorsOptionsDelegateCallback = (request, answer) =>
  answer(null, concernsOwners(request) ? CLOSED : OPEN)

export const corsFor = { delegator: delegate }
