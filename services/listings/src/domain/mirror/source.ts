/**
 * What a source publishes. `facilitator`: pages of `/discovery/resources`. `openapi`: a document whose paid operations
 * carry `x-payment-info`. `well-known`: `/.well-known/x402`. `api-catalog`: a linkset of RFC 9727.
 */
export const SOURCE_KINDS = ['facilitator', 'openapi', 'well-known', 'api-catalog'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** What a facilitator is asked for; sent as query parameters, and nothing is trusted to be filtered. */
export type SourceFilters = Readonly<Record<string, string>>

/** A run over a source's pages that is not over yet. */
export interface SourceRun {
  readonly id: string
  /** Milliseconds. */
  readonly startedAt: number
  /** Where the next page begins. */
  readonly offset: number
}
