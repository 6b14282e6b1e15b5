import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A write that rides on a cookie must come from our own pages: `Origin` has to be there and be ours, and a browser
 * that sends `Sec-Fetch-Site` has to agree.
 * @throws Refused origin_mismatch
 */
export function sameOriginOnWrite(request: FastifyRequest): void {
  if (SAFE.has(request.method)) return
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOurs = origin?.toLowerCase() === request.server.publicOrigin.toLowerCase()
  if (!isOurs || (site !== undefined && site !== 'same-origin')) {
    const message = `A write with a session has to come from ${request.server.publicOrigin}, with that as its \`Origin\`.`
    throw new Refused({ refusal: 'origin_mismatch', field: 'origin', message })
  }
}

/**
 * The same where a route takes other credentials beside the session cookie, which no browser sends by itself.
 * @throws Refused origin_mismatch
 */
export function sameOriginOfSession(request: FastifyRequest): void {
  if (request.state.caller.kind === 'session') sameOriginOnWrite(request)
}
