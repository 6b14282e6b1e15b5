/** The local chain of a target, as described by its `devnet.json`, for tests that move money. */
export interface Devnet {
  readonly rpcUrl: string
  readonly chainId: number
  /** CAIP-2. */
  readonly network: `eip155:${number}`
  /** The settled token with its EIP-712 domain. */
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
  readonly treasury: `0x${string}`
  /** The stake contract, its token, and the ledger of burned tokens. */
  readonly stake: `0x${string}`
  readonly stakeToken: `0x${string}`
  readonly burnLedger: `0x${string}`
  /** ERC-8004’s registries of agents and of clients' feedback on them. */
  readonly identityRegistry: `0x${string}`
  readonly reputationRegistry: `0x${string}`
  /** Its first ten accounts hold test USDC and gas. */
  readonly mnemonic: string
}

/** What the suite runs against: an instance at its public base URL, and its chain where that may be used. */
export interface Target {
  readonly baseUrl: string
  readonly devnet?: Devnet
}

/** Returns the target of a run; known once its tests run, not while they are registered. */
export type TargetOf = () => Target

/** Registers the tests of one operation. */
export type Register = (target: TargetOf) => void
