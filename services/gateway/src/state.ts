import type { CallMeta } from '@callboard/bus'
import { anonymous, type Caller } from '@callboard/contract'
import type { FastifyRequest } from 'fastify'
import type { ClientCredentials } from './client-credentials.ts'
import type { Route } from './kit.ts'

/** What the hooks learn of a request on its way to the operation. */
export interface RequestState {
  caller: Caller
  payment: CallMeta['payment']
  /** The OAuth client that the `Authorization` header names, where a route wants one. */
  client: ClientCredentials | undefined
  /** The body as it came, which a payment is bound to. */
  rawBody: Buffer | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract entry that was matched; every later hook reads this and never the raw path. */
    route?: Route
    /** The deprecated path under which it was matched. */
    alias?: string
    /** A page of an owner's: it reads the session cookie, and no other site may read it. */
    ownerPage?: true
  }
  interface FastifyRequest {
    state: RequestState
  }
}

export const newState = (): RequestState => ({
  caller: anonymous,
  payment: undefined,
  client: undefined,
  rawBody: undefined,
})

/** The contract entry of a request whose route was made from the contract. */
export function routeOf(request: FastifyRequest): Route {
  const route = request.routeOptions.config.route
  if (!route) throw new Error(`${request.method} ${request.routeOptions.url} is not a route of the contract`)
  return route
}
