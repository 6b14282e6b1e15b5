import { routes } from '@callboard/contract'
import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import { matches } from './unknown-route.ts'

/** What a browser's x402 client sends; the stock one puts `Access-Control-Expose-Headers` on its request. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Access-Control-Expose-Headers',
  'traceparent',
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
  'WWW-Authenticate',
]

const sessionPaths = routes()
  .filter((route) => route.http.auth === 'session' || route.http.sessionCookie !== undefined)
  .map((route) => route.http.path)

/** Any site may call the public interface, without cookies; the owner's routes answer no other site at all. */
const delegate: FastifyCorsOptionsDelegateCallback = (request, answer) => {
  const isOwners = sessionPaths.some((path) => matches(path, request.url))
  const open: FastifyCorsOptions = {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: 600,
  }
  answer(null, isOwners ? { origin: false } : open)
}

export const corsFor = { delegator: delegate }
