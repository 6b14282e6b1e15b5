import type { Address, Hex } from '@callboard/values'
import { AUTHORIZATION_USED_TOPIC } from '@callboard/x402'

/** `Transfer(address indexed from, address indexed to, uint256 value)` */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)` */
export const AUTHORIZATION_CANCELED_TOPIC: Hex = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

/** The fields of an EVM log that tell what happened. */
export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  /** The log's index in its block, as nodes write it: "0x1f". */
  readonly logIndex: string
}

/** The money movement that a payment asks for. */
export interface Movement {
  readonly asset: Address
  readonly payer: Address
  readonly payTo: Address
  /** Base units, decimal text. */
  readonly amount: string
  readonly nonce: Hex
}

/** The authorizations that a transaction's logs show as used: token, authorizer and nonce → the transfer after it. */
export type UsedAuthorizations = ReadonlyMap<string, ChainLog | undefined>

export const addressTopic = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const useKey = (asset: string, authorizerTopic: string, nonce: string) =>
  `${asset}/${authorizerTopic}/${nonce}`.toLowerCase()

/**
 * The authorizations that a transaction used, each with the token's very next log. Logs of other emitters between the
 * two are ignored, because some chains log native movements next to the token's own.
 */
export function usedAuthorizations(logs: readonly ChainLog[]): UsedAuthorizations {
  const uses = new Map<string, ChainLog | undefined>()
  const latest = new Map<string, string>()
  for (const log of logs) {
    const emitter = log.address.toLowerCase()
    const before = latest.get(emitter)
    if (before !== undefined) {
      uses.set(before, log)
      latest.delete(emitter)
    }
    const [topic, authorizer, nonce] = log.topics
    if (topic?.toLowerCase() !== AUTHORIZATION_USED_TOPIC || !authorizer || !nonce) continue
    const key = useKey(emitter, authorizer, nonce)
    uses.set(key, undefined)
    latest.set(emitter, key)
  }
  return uses
}

/**
 * Finds where a transaction made a payment: the token's `AuthorizationUsed` with the nonce, and as the token's next log
 * the `Transfer` of exactly the amount to exactly the payee.
 * @returns that transfer's log index; undefined when the transaction did not make the payment
 */
export function paidAt(uses: UsedAuthorizations, { asset, payer, payTo, amount, nonce }: Movement): number | undefined {
  const transfer = uses.get(useKey(asset, addressTopic(payer), nonce))
  if (!transfer) return undefined
  const [topic, from, to] = transfer.topics.map((word) => word.toLowerCase())
  const moved = /^0x[0-9a-fA-F]{64}$/.test(transfer.data) ? BigInt(transfer.data) : undefined
  const isPaid =
    topic === TRANSFER_TOPIC && from === addressTopic(payer) && to === addressTopic(payTo) && moved === BigInt(amount)
  return isPaid ? Number(transfer.logIndex) : undefined
}
