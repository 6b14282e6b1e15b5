import type { z } from 'zod'

/**
 * A route that the gateway answers by itself: a page for people, or a document about this service. It calls operations
 * or none, and is none: nothing of it goes over the bus.
 */
export interface EdgeRoute {
  /** `gateway.<what it is>`, beside the ids of operations. */
  readonly id: `gateway.${string}`
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  readonly summary: string
  readonly mediaType: string
  /** What the body is, where it is JSON, and one such body. */
  readonly json?: { readonly schema: z.ZodType; readonly example: object }
  readonly query?: z.ZodObject
  /** What its form sends, as `application/x-www-form-urlencoded`. */
  readonly form?: z.ZodObject
  /** Further statuses that it answers with, in the same media type. */
  readonly statuses?: Readonly<Record<number, string>>
  /** It is about the owner whose session cookie comes with the request; without one it says how to sign in. */
  readonly session?: true
  /** It is counted against a limit class. */
  readonly limited?: true
  /**
   * The answer is the same for every caller: it has an entity tag, is 304 for a caller that has it, and goes out
   * compressed.
   */
  readonly entityTag?: true
  readonly linksCatalog?: true
}
