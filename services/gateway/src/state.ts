import type { CallMeta } from '@callboard/bus'
import { anonymous, type Caller } from '@callboard/contract'
import type { Route } from './context.ts'
import type { ClientCredentials } from './credentials/client-credentials.ts'

/** An owner's session that a cookie opened. */
interface OpenSession {
  readonly id: string
  readonly token: string
  readonly owner: string
  readonly expiresAt: string
}

/** What the hooks learn about a request on its way to the operation. */
export interface RequestState {
  caller: Caller
  payment: CallMeta['payment']
  /** Null if the cookie opens none; undefined as long as oauth has not said. */
  session: OpenSession | null | undefined
  /** Seconds until a credential may be retried that was not examined because its address guessed too often. */
  unexaminedFor: number | undefined
  /** The OAuth client named in the `Authorization` header, if the route takes one. */
  client: ClientCredentials | undefined
  /** The Router key of a model route, not yet examined. */
  routerKey: string | undefined
  /** The body as received, to which a payment is bound. */
  rawBody: Buffer | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract entry that was matched; every later hook reads this and never the raw path. */
    route?: Route
    /** The deprecated path under which it was matched. */
    alias?: string
    /** It answers every request with a refusal, so it is not described. */
    refusesAll?: true
    /** An owner's page: it reads the session cookie, and other sites may not read it. */
    ownerPage?: true
  }
  interface FastifyRequest {
    state: RequestState
  }
}

export const newState = (): RequestState => ({
  caller: anonymous,
  payment: undefined,
  session: undefined,
  unexaminedFor: undefined,
  client: undefined,
  routerKey: undefined,
  rawBody: undefined,
})
