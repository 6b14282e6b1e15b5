import type { Requester } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'

/** The requester as the edge sees it: the connection's address and the `User-Agent`, cut to the contract's limits. */
export const requesterOf = (request: FastifyRequest): Requester => ({
  address: request.ip.slice(0, 64),
  userAgent: request.headers['user-agent']?.slice(0, 256) || null,
})
