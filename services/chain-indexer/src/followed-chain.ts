import type { Chain } from '@callboard/evm'
import type { Address } from '@callboard/values'
import type { BloomTest } from './domain/bloom.ts'
import type { LogSource } from './domain/log-source.ts'
import type { Registries } from './domain/registries.ts'
import type { Providers } from './rpc/providers.ts'

/** Where a chain's burns are logged, and of which token. */
export interface BurnLedger {
  readonly ledger: Address
  readonly token: Address
  readonly decimals: number
}

/** The contracts of a chain whose logs are read beside its USDC's. */
export interface TokenContracts {
  readonly stake?: Address | undefined
  readonly burns?: BurnLedger | undefined
  readonly splitterFactory?: Address | undefined
  /** The token whose supply is counted. */
  readonly supply?: Pick<BurnLedger, 'token' | 'decimals'> | undefined
  readonly registries?: Registries | undefined
}

/** A served chain with what it takes to read it. */
export interface FollowedChain {
  readonly chain: Chain
  readonly contracts: TokenContracts
  /** All that is read, the chain's USDC first. */
  readonly sources: readonly LogSource[]
  readonly providers: Providers
  /** The preferred endpoint, which is asked to push its heads. */
  readonly headsUrl: string | undefined
  readonly mayHoldLogs: BloomTest
  /** The first block to read; undefined for "the newest one, when it is followed for the first time". */
  readonly startBlock: number | undefined
}
