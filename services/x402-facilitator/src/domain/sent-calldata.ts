import { settlementBatchAbi } from '@callboard/evm'
import type { Address, Hex } from '@callboard/values'
import type { Authorization } from '@callboard/x402'
import { decodeAbiParameters, decodeFunctionData, getAddress, parseAbiParameters, size, slice } from 'viem'

/** A transfer as encoded in calldata. */
export interface SentTransfer {
  readonly asset: Address
  readonly authorization: Authorization
  readonly signature: Hex
}

const BY_VRS = '0xe3ee160e'
const BY_BYTES = '0xcf092995'
/** Selector of `settle(address token, uint256 legGas, bytes legs)` of the batch contract. */
const BY_BATCH = '0x1c8cbdc9'
const LEG_BYTES = 288
const TERMS = 'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce'
const VRS = parseAbiParameters(`${TERMS}, uint8 v, bytes32 r, bytes32 s`)
const BYTES = parseAbiParameters(`${TERMS}, bytes signature`)

type Terms = readonly [from: Address, to: Address, value: bigint, after: bigint, before: bigint, nonce: Hex]

const authorizationOf = ([from, to, value, after, before, nonce]: Terms): Authorization => ({
  from: getAddress(from),
  to: getAddress(to),
  value: String(value),
  validAfter: String(after),
  validBefore: String(before),
  nonce,
})

function byVrs(asset: Address, words: Hex): SentTransfer {
  const [from, to, value, after, before, nonce, v, r, s] = decodeAbiParameters(VRS, words)
  const signature: Hex = `${r}${s.slice(2)}${v.toString(16).padStart(2, '0')}`
  return { asset, authorization: authorizationOf([from, to, value, after, before, nonce]), signature }
}

function byBytes(asset: Address, words: Hex): SentTransfer {
  const [from, to, value, after, before, nonce, signature] = decodeAbiParameters(BYTES, words)
  return { asset, authorization: authorizationOf([from, to, value, after, before, nonce]), signature }
}

/**
 * Decodes the transfers of one of our transactions: the one of a plain transfer, or those of a batch. Anything that
 * follows them, such as an ERC-8021 suffix, is ignored.
 * @returns none for a call that is not a settlement
 */
export function transfersIn(to: Address, data: Hex, batch: Address | undefined): SentTransfer[] {
  const selector = data.slice(0, 10)
  if (selector === BY_VRS) return [byVrs(to, slice(data, 4, 4 + LEG_BYTES))]
  if (selector === BY_BYTES) return [byBytes(to, slice(data, 4))]
  if (selector !== BY_BATCH || !batch || getAddress(to) !== getAddress(batch)) return []
  const [token, , legs] = decodeFunctionData({ abi: settlementBatchAbi, data }).args
  const count = Math.floor(size(legs) / LEG_BYTES)
  return Array.from({ length: count }, (_, at) => byVrs(token, slice(legs, at * LEG_BYTES, (at + 1) * LEG_BYTES)))
}
