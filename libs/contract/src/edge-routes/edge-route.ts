import type { z } from 'zod'
import type { RefusalDeclaration } from '../refusal.ts'
import type { Scope } from '../schemas/agent.ts'

/**
 * A route that the gateway answers itself: a page for people, or a document about this service. It may call operations
 * but is not one: it has no subject on the bus.
 */
export interface EdgeRoute {
  /** `gateway.<what it is>`, in the same namespace as the ids of operations. */
  readonly id: `gateway.${string}`
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly summary: string
  readonly mediaType: string
  /** The schema of a JSON body, and an example of one. */
  readonly json?: { readonly schema: z.ZodType; readonly example: object }
  readonly query?: z.ZodObject
  /** The fields of its form, sent as `application/x-www-form-urlencoded`. */
  readonly form?: z.ZodObject
  /** The schema of the JSON that it takes. */
  readonly body?: z.ZodType
  /** Further statuses that it may answer with, in the same media type. */
  readonly statuses?: Readonly<Record<number, string>>
  /** Its refusals, in the shape of every API route. */
  readonly refusals?: readonly RefusalDeclaration[]
  /** It takes a bearer credential: an API key, or an access token of this scope. */
  readonly scope?: Scope
  /** It takes a bearer credential, or none; with a bad one it is refused. */
  readonly optionalBearer?: true
  /** About the owner whose session cookie comes with the request; without a cookie it says how to sign in. */
  readonly session?: true
  /** Counted against a limit class. */
  readonly limited?: true
  /**
   * The answer is the same for every caller: it has an entity tag, answers 304 to a caller that already has it, and is
   * sent compressed.
   */
  readonly entityTag?: true
  readonly linksCatalog?: true
}
