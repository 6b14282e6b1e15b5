import type { Address, Hex } from '@callboard/values'
import type { BuilderCodes } from '@callboard/x402'

/** A block by its height and hash. */
export interface BlockRef {
  readonly number: number
  readonly hash: Hex
}

/** The header fields that the indexer reads. `timestamp` is in seconds. */
export interface BlockHeader extends BlockRef {
  readonly parentHash: Hex
  readonly timestamp: number
  /** 256 bytes; all zero on chains that do not fill it. */
  readonly logsBloom: Hex
}

/** A log from a node, with numbers parsed and the rest as lower-case hex. */
export interface RawLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly txHash: Hex
  readonly logIndex: number
  /** Seconds; undefined where the node's logs do not include it. */
  readonly blockTimestamp: number | undefined
}

/** The position of a log. */
export type LogPlace = Pick<RawLog, 'txHash' | 'logIndex' | 'blockNumber' | 'blockHash' | 'blockTimestamp'>

/** An EIP-3009 authorization that moved money, from two logs of one transaction. The position is the `Transfer`'s. */
export interface Settlement extends LogPlace {
  readonly payer: Address
  readonly payTo: Address
  /** Base units, decimal text. */
  readonly amount: string
  readonly nonce: Hex
}

/** An owner's stake after a change. */
export interface Stake extends LogPlace {
  readonly owner: Address
  /** Base units, decimal text. */
  readonly stake: string
}

/** Tokens that were destroyed. */
export interface Burn extends LogPlace {
  /** Who burned them. */
  readonly from: Address
  /** Base units, decimal text. */
  readonly amount: string
}

/** Who submitted a transaction. */
export interface Submission {
  /** Its sender. */
  readonly facilitator: Address
  /** The codes at the end of its calldata (ERC-8021); null when it has none. They are the sender's claims. */
  readonly builderCodes: BuilderCodes | null
}
