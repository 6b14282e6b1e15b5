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

/** An EIP-3009 authorization that moved money, as two logs of one transaction show it. */
export interface Settlement {
  readonly txHash: Hex
  /** That of the `Transfer`. */
  readonly logIndex: number
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly blockTimestamp: number | undefined
  readonly payer: Address
  readonly payTo: Address
  /** Base units, decimal text. */
  readonly amount: string
  readonly nonce: Hex
}

/** Who brought a transaction to the chain. */
export interface Submission {
  /** Its sender. */
  readonly facilitator: Address
  /** The codes at the end of its calldata (ERC-8021); null when it carries none. They are claims of the sender. */
  readonly builderCodes: BuilderCodes | null
}
