import type { Chain } from '@callboard/evm'
import type { BloomTest } from './domain/bloom.ts'
import type { Providers } from './rpc/providers.ts'

/** A served chain with what it takes to read it. */
export interface FollowedChain {
  readonly chain: Chain
  readonly providers: Providers
  /** The preferred endpoint, which is asked to push its heads. */
  readonly headsUrl: string | undefined
  readonly mayHoldLogs: BloomTest
  /** The first block to read; undefined for "the newest one, when it is followed for the first time". */
  readonly startBlock: number | undefined
}
