import type { Address, Hex } from '@callboard/values'
import type { BuilderCodes } from '@callboard/x402'

/** Where a block stands: its height and its hash. */
export interface BlockRef {
  readonly number: number
  readonly hash: Hex
}

/** What the indexer reads of a block's header. `timestamp` is in seconds. */
export interface BlockHeader extends BlockRef {
  readonly parentHash: Hex
  readonly timestamp: number
  /** 256 bytes; all zero on chains that do not fill it. */
  readonly logsBloom: Hex
}

/** A log as a node sends it, numbers read and the rest left in lower-case hex. */
export interface RawLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly txHash: Hex
  readonly logIndex: number
  /** Seconds; undefined where the node does not put it into its logs. */
  readonly blockTimestamp: number | undefined
}

/** Where a log stands. */
export type LogPlace = Pick<RawLog, 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'blockTimestamp'>

/** An EIP-3009 authorization that moved money, as two logs of one transaction show it. The place is the `Transfer`'s. */
export interface Settlement extends LogPlace {
  readonly payer: Address
  readonly payTo: Address
  /** Base units, decimal text. */
  readonly amount: string
  readonly nonce: Hex
}

/** What an owner has staked after a change. */
export interface Stake extends LogPlace {
  readonly owner: Address
  /** Base units, decimal text. */
  readonly stake: string
}

/** Tokens that were destroyed. */
export interface Burn extends LogPlace {
  /** Who gave them. */
  readonly from: Address
  /** Base units, decimal text. */
  readonly amount: string
}

/** Who brought a transaction to the chain. */
export interface Submission {
  /** Its sender. */
  readonly facilitator: Address
  /** The codes at the end of its calldata (ERC-8021); null when it carries none. They are claims of the sender. */
  readonly builderCodes: BuilderCodes | null
}
