import type { Hex } from '@callboard/values'

const TRANSACTION = 21_000n
const ZERO_BYTE = 10n
const OTHER_BYTE = 40n

/**
 * The gas that a transaction with this calldata needs, however little its call burns. With less, no node runs it.
 * @source EIP-7623
 */
export function startingGas(calldata: Hex): bigint {
  const bytes = Buffer.from(calldata.slice(2), 'hex')
  const others = BigInt(bytes.reduce((count, byte) => (byte === 0 ? count : count + 1), 0))
  return TRANSACTION + (BigInt(bytes.length) - others) * ZERO_BYTE + others * OTHER_BYTE
}
