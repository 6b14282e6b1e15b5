/** The local chain of a target, as its `devnet.json` describes it: what tests that move money need. */
export interface Devnet {
  readonly rpcUrl: string
  readonly chainId: number
  /** CAIP-2. */
  readonly network: `eip155:${number}`
  /** The settled token with its EIP-712 domain. */
  readonly usdc: { readonly address: `0x${string}`; readonly name: string; readonly version: string }
  readonly treasury: `0x${string}`
  /** The stake contract, its token, and the ledger of what is burned of it. */
  readonly stake: `0x${string}`
  readonly stakeToken: `0x${string}`
  readonly burnLedger: `0x${string}`
  /** ERC-8004’s registries of agents and of what clients say of them. */
  readonly identityRegistry: `0x${string}`
  readonly reputationRegistry: `0x${string}`
  /** Its first ten accounts hold test USDC and gas. */
  readonly mnemonic: string
}

/** What the suite is run against: an instance behind its public base URL, and its chain where that may be used. */
export interface Target {
  readonly baseUrl: string
  readonly devnet?: Devnet
}

/** The target of a run; known once its tests run, not yet while they are registered. */
export type TargetOf = () => Target

/** Registers the tests of one operation. */
export type Register = (target: TargetOf) => void
