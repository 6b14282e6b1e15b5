import type { Address, Hex } from '@callboard/values'
import { getAddress, hexToBytes, recoverAddress } from 'viem/utils'
import { keccak256 } from './keccak256.ts'

/** Recovers a digest's signer. The signature is 65 bytes with v 27 or 28; rejects when no point of the curve fits. */
export type RecoverAddress = (digest: Hex, signature: Hex) => Promise<Address>

/** The pure JavaScript implementation, always available and some twenty times slower. */
export const recoverWithViem: RecoverAddress = (hash, signature) => recoverAddress({ hash, signature })

type Bindings = typeof import('secp256k1')

/** The binding itself, not the package's entry point, which silently falls back to an unmaintained JavaScript curve. */
const BINDINGS = 'secp256k1/bindings.js'

async function loadBindings(): Promise<Bindings | undefined> {
  try {
    const loaded: { default: Bindings } = await import(BINDINGS)
    return loaded.default
  } catch {
    return undefined
  }
}

const bindings = await loadBindings()

/** The native implementation; undefined where the optional package `secp256k1` has no binary for this platform. */
export const recoverWithNative: RecoverAddress | undefined =
  bindings && ((digest, signature) => native(bindings, digest, signature))

/** The fastest implementation on this platform. */
export const recoverSigner: RecoverAddress = recoverWithNative ?? recoverWithViem

async function native({ ecdsaRecover }: Bindings, digest: Hex, signature: Hex): Promise<Address> {
  const bytes = hexToBytes(signature)
  const publicKey = ecdsaRecover(bytes.subarray(0, 64), Number(bytes[64]) - 27, hexToBytes(digest), false)
  return getAddress(`0x${keccak256(publicKey.subarray(1)).slice(26)}`)
}
