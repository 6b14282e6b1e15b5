import type { Address, Hex } from '@callboard/values'
import { sign as signWithNoble } from 'viem/accounts'
import { bytesToBigInt, getAddress, hexToBigInt, hexToBytes, recoverAddress } from 'viem/utils'
import { keccak256 } from './keccak256.ts'

/** Recovers a digest's signer. The signature is 65 bytes with v 27 or 28; rejects when no point of the curve fits. */
export type RecoverAddress = (digest: Hex, signature: Hex) => Promise<Address>

/** A signature whose s is in the lower half, and the parity of its point's y. */
export interface DigestSignature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

/** Signs a digest, always with the same signature (RFC 6979). */
export type SignDigest = (digest: Hex, privateKey: Hex) => Promise<DigestSignature>

/** The pure JavaScript implementation, always available and some twenty times slower. */
export const recoverWithViem: RecoverAddress = (hash, signature) => recoverAddress({ hash, signature })

/** The same for signing, some five times slower. */
export const signWithViem: SignDigest = async (hash, privateKey) => {
  const { r, s, yParity } = await signWithNoble({ hash, privateKey })
  return { r: hexToBigInt(r), s: hexToBigInt(s), yParity: yParity === 0 ? 0 : 1 }
}

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

/** The native implementation of signing, whose time does not depend on the key; undefined where the other one is. */
export const signWithNative: SignDigest | undefined =
  bindings && ((digest, privateKey) => nativeSign(bindings, digest, privateKey))

/** The fastest implementations on this platform. */
export const recoverSigner: RecoverAddress = recoverWithNative ?? recoverWithViem
export const signDigest: SignDigest = signWithNative ?? signWithViem

async function native({ ecdsaRecover }: Bindings, digest: Hex, signature: Hex): Promise<Address> {
  const bytes = hexToBytes(signature)
  const publicKey = ecdsaRecover(bytes.subarray(0, 64), Number(bytes[64]) - 27, hexToBytes(digest), false)
  return getAddress(`0x${keccak256(publicKey.subarray(1)).slice(26)}`)
}

async function nativeSign({ ecdsaSign }: Bindings, digest: Hex, privateKey: Hex): Promise<DigestSignature> {
  const { signature, recid } = ecdsaSign(hexToBytes(digest), hexToBytes(privateKey))
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((half) => bytesToBigInt(half)) as [
    bigint,
    bigint,
  ]
  return { r, s, yParity: recid === 0 ? 0 : 1 }
}
