import type { Server } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'

const AUTHORITY = /^https?:\/\/[^/?#]*/i

/**
 * Normalizes a target for the routes. A server also accepts the absolute form, whose authority we ignore (RFC 9112
 * §3.2.2): our own URLs come from `BASE_URL`. The asterisk is only for OPTIONS, where the router reads it as `/`.
 */
export function originForm(target: string, method = 'GET'): string {
  if (target === '*') return method === 'OPTIONS' ? target : '/*'
  const rest = target.replace(AUTHORITY, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}

/** @throws Refused invalid_request for HTTP/1.1 without `Host`, and for more than one (RFC 9112 §3.2) */
export function requireHost({ headers, raw }: FastifyRequest, _reply: unknown, goOn: () => void): void {
  if (headers.host === undefined && raw.httpVersion === '1.1') throw refusedHost('is required')
  // Node takes the first one, and a proxy before us may have taken the last.
  if (raw.rawHeaders.filter(isHostName).length > 1) throw refusedHost('must be given once')
  goOn()
}

const isHostName = (text: string, index: number): boolean =>
  index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'

const refusedHost = (why: string) => new Refused({ refusal: 'invalid_request', field: 'host', message: `host: ${why}` })

/** Ignores the type of content that does not come: many clients name one on every POST, and the parsers judge it. */
export function ignoreTypeOfNothing({ headers }: FastifyRequest, _reply: unknown, goOn: () => void): void {
  if (headers['content-length'] === '0') delete headers['content-type']
  goOn()
}

/** Ignores an `Expect` other than 100-continue, as RFC 9110 §10.1.1 allows: Node would answer it without explaining. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
