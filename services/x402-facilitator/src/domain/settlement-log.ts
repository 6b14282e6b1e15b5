import type { Address, Hex } from '@callboard/values'
import { AUTHORIZATION_USED_TOPIC } from '@callboard/x402'

/** `Transfer(address indexed from, address indexed to, uint256 value)` */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)` */
export const AUTHORIZATION_CANCELED_TOPIC: Hex = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81'

/** The part of an EVM log that says what happened. */
export interface ChainLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
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

export const addressTopic = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const same = (left: string | undefined, right: string) => left?.toLowerCase() === right.toLowerCase()

/**
 * Whether a transaction's logs hold the payment: the token's `AuthorizationUsed` with the nonce, and as the token's next
 * log the `Transfer` of exactly the amount to exactly the payee. Other emitters between the two are passed over, because
 * some chains log native movements beside the token's own.
 */
export function holdsMovement(logs: readonly ChainLog[], { asset, payer, payTo, amount, nonce }: Movement): boolean {
  const own = logs.filter((log) => same(log.address, asset))
  const used = own.findIndex(
    ({ topics: [topic, authorizer, used] }) =>
      same(topic, AUTHORIZATION_USED_TOPIC) && same(authorizer, addressTopic(payer)) && same(used, nonce),
  )
  const transfer = used < 0 ? undefined : own[used + 1]
  if (!transfer) return false
  const [topic, from, to] = transfer.topics
  const moved = /^0x[0-9a-fA-F]{64}$/.test(transfer.data) ? BigInt(transfer.data) : undefined
  return (
    same(topic, TRANSFER_TOPIC) &&
    same(from, addressTopic(payer)) &&
    same(to, addressTopic(payTo)) &&
    moved === BigInt(amount)
  )
}
