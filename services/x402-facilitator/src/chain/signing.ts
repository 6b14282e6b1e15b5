import type { Chain } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { keccak256, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Fees } from '../domain/fees.ts'

/** The only signing keys of the house, by address. */
export type Keyring = ReadonlyMap<Address, PrivateKeyAccount>

/** A call that a lane makes at one chain nonce. */
export interface LaneCall extends Fees {
  readonly chain: Chain
  readonly lane: Address
  readonly chainNonce: number
  /** The token, or the batch contract. */
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
}

/** Signs a call. The hash is known before anybody sees the transaction. */
export async function signCall(keys: Keyring, call: LaneCall): Promise<{ raw: Hex; hash: Hex }> {
  const account = keys.get(call.lane)
  if (!account) throw new Error(`the key of ${call.lane} is not among FACILITATOR_KEYS`)
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: call.chain.chainId,
    nonce: call.chainNonce,
    to: call.to,
    data: call.data,
    gas: call.gas,
    maxFeePerGas: call.maxFeePerGas,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas,
  })
  // As bytes: viem would read a batch's 29 kB of hexadecimal digits one by one.
  return { raw, hash: keccak256(Buffer.from(raw.slice(2), 'hex')) }
}

/**
 * Hands a signed transaction to a node. Whatever the node answers, the transaction may be on its way: what became of it
 * is read from the chain, never from this answer.
 * @returns why the node would not take it, for the log
 */
export async function sendRaw(client: PublicClient, raw: Hex): Promise<string | undefined> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
