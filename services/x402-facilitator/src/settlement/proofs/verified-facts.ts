import type { Address } from '@callboard/values'

/** What verification found of a payment that the token would take. */
export interface VerifiedFacts {
  readonly balance: bigint
  readonly hasCode: boolean
  readonly batchable: boolean
  /** The signing account under which it was tried. */
  readonly sender: Address
  /** By the process's own clock, in milliseconds; the chain answered later. */
  readonly askedAt: number
}
