import type { Chain } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import { keccak256 } from '@callboard/x402'
import { BaseError, concatBytes, type PublicClient, toRlp } from 'viem'
import type { Fees } from '../domain/fees.ts'
import type { KeyRing } from '../signers/key-ring.ts'

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

/**
 * Signs a call as an EIP-1559 transaction. The hash is known before any node sees the transaction. It works on bytes
 * throughout: a batch has 29 kB of calldata, which viem's `signTransaction` parses digit by digit, more than once.
 * @throws SignerUnavailable
 */
export async function signCall(keys: Pick<KeyRing, 'sign'>, call: LaneCall): Promise<{ raw: Hex; hash: Hex }> {
  const value = 0n
  const fields: (Uint8Array | [])[] = [
    quantity(call.chain.chainId),
    quantity(call.chainNonce),
    quantity(call.maxPriorityFeePerGas),
    quantity(call.maxFeePerGas),
    quantity(call.gas),
    bytes(call.to),
    quantity(value),
    bytes(call.data),
    [],
  ]
  const { yParity, r, s } = await keys.sign(call.lane, envelope(fields))
  const signed = envelope([...fields, quantity(yParity), quantity(r), quantity(s)])
  return { raw: `0x${Buffer.from(signed).toString('hex')}`, hash: keccak256(signed) }
}

/** @source EIP-2718, EIP-1559 */
const envelope = (fields: (Uint8Array | [])[]): Uint8Array => concatBytes([Uint8Array.of(2), toRlp(fields, 'bytes')])

const bytes = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex')

/** A number in RLP: big-endian, without leading zeros; zero is the empty string. */
function quantity(value: bigint | number): Uint8Array {
  const digits = value === 0 || value === 0n ? '' : value.toString(16)
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
}

/**
 * Sends a signed transaction to a node. Regardless of the node's answer, the transaction may be on its way: its outcome
 * is read from the chain, never from this answer.
 * @returns why the node did not take it, for the log
 */
export async function sendRaw(client: PublicClient, raw: Hex): Promise<string | undefined> {
  try {
    await client.sendRawTransaction({ serializedTransaction: raw })
    return undefined
  } catch (error) {
    return refusalOf(error)
  }
}

/** A node's error about a transaction, for the log: without the URL it was sent to, which may contain a key. */
export const refusalOf = (error: unknown): string =>
  error instanceof BaseError ? `${error.shortMessage} ${error.details}`.trim() : String(error)
