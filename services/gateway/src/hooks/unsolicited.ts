import type { FastifyRequest } from 'fastify'
import { Refused } from '../answers/errors.ts'
import type { Hook } from '../context.ts'

/**
 * A GET that changes something must be intended. A browser that prefetches says so; and one that sends the owner's
 * cookie must do so for a page of ours, or for a program of the owner's, and never by following a link.
 * @source Fetch Metadata; the `Sec-Purpose` header of the Fetch standard
 */
export const refuseUnsolicited: Hook = (request, _reply, { http }) => {
  if (!http.changes) return
  if (isSpeculative(request) || (http.auth === 'session' && !isOurs(request))) {
    throw new Refused({ refusal: 'unsolicited_request' })
  }
}

const isSpeculative = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose].some((purpose) => String(purpose).includes('prefetch'))

function isOurs({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  return site === undefined || site === 'same-origin' ? mode !== 'navigate' : site === 'none' && mode === 'cors'
}
