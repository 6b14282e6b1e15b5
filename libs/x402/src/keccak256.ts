import type { Hex } from '@callboard/values'
import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/**
 * Keccak-256 as Ethereum has it. In WebAssembly: every check of a payment needs several of these, and viem’s, in
 * JavaScript, takes some seven times as long.
 * @param given bytes, or their hex with `0x` before it
 */
export function keccak256(given: Uint8Array | Hex): Hex {
  const bytes = typeof given === 'string' ? Buffer.from(given.slice(2), 'hex') : given
  return `0x${hasher.init().update(bytes).digest('hex')}`
}
