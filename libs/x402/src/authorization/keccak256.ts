import type { Hex } from '@callboard/values'
import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/**
 * Keccak-256 as Ethereum uses it. In WebAssembly: every check of a payment needs several of these, and viem’s, in
 * JavaScript, takes some seven times as long.
 * @param given bytes, or their hex with a `0x` prefix
 */
export function keccak256(given: Uint8Array | Hex): Hex {
  const bytes = typeof given === 'string' ? Buffer.from(given.slice(2), 'hex') : given
  return `0x${hasher.init().update(bytes).digest('hex')}`
}
