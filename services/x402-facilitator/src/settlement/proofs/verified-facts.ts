import type { Address } from '@callboard/values'

/** What verification found about a payment that the token would accept. */
export interface VerifiedFacts {
  readonly balance: bigint
  readonly hasCode: boolean
  readonly batchable: boolean
  /** The signing account under which it was tried. */
  readonly sender: Address
  /** By this process's clock, in milliseconds; the chain answered later. */
  readonly askedAt: number
}
