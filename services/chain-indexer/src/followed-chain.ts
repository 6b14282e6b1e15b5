import type { Chain } from '@callboard/evm'
import type { Address } from '@callboard/values'
import type { BloomTest } from './domain/bloom.ts'
import type { LogSource } from './domain/log-source.ts'
import type { Registries } from './domain/registries.ts'
import type { Providers } from './rpc/providers.ts'

/** The contract that logs a chain's burns, and the token burned. */
export interface BurnLedger {
  readonly ledger: Address
  readonly token: Address
  readonly decimals: number
}

/** The contracts of a chain whose logs are read in addition to its USDC's. */
export interface TokenContracts {
  readonly stake?: Address | undefined
  readonly burns?: BurnLedger | undefined
  readonly splitterFactory?: Address | undefined
  /** The token whose supply is counted. */
  readonly supply?: Pick<BurnLedger, 'token' | 'decimals'> | undefined
  readonly registries?: Registries | undefined
}

/** A served chain with everything needed to read it. */
export interface FollowedChain {
  readonly chain: Chain
  readonly contracts: TokenContracts
  /** All sources that are read, the chain's USDC first. */
  readonly sources: readonly LogSource[]
  readonly providers: Providers
  /** The preferred endpoint, which is asked to push its heads. */
  readonly headsUrl: string | undefined
  readonly mayHoldLogs: BloomTest
  /** The first block to read; undefined: the newest one when the chain is first followed. */
  readonly startBlock: number | undefined
}
