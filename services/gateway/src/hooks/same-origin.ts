import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A write authenticated by a cookie must come from our own pages: `Origin` must be present and ours, and
 * `Sec-Fetch-Site`, if the browser sends it, must agree.
 * @throws Refused origin_mismatch
 */
export function sameOriginOnWrite(request: FastifyRequest): void {
  if (SAFE.has(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOurs = origin?.toLowerCase() === request.server.publicOrigin.toLowerCase()
  if (!isOurs || (site !== undefined && site !== 'same-origin')) {
    const message = `A write with a session must come from ${request.server.publicOrigin}, and must name it as its \`Origin\`.`
    throw new Refused({ refusal: 'origin_mismatch', field: 'origin', message })
  }
}

/**
 * The same for a route that also takes other credentials, which no browser sends on its own.
 * @throws Refused origin_mismatch
 */
export function sameOriginOfSession(request: FastifyRequest): void {
  if (request.state.caller.kind === 'session') sameOriginOnWrite(request)
}
