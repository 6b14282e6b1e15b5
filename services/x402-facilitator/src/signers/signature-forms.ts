import { secp256k1 } from '@noble/curves/secp256k1'
import type { PlainSignature } from './signer.ts'

/**
 * Parses a signature in the form of AWS and Google KMS.
 * @throws Error where the bytes are not a signature
 * @source RFC 3279 §2.2.3, Ecdsa-Sig-Value
 */
export function fromDer(bytes: Uint8Array): PlainSignature {
  const { r, s } = secp256k1.Signature.fromDER(bytes)
  return { r, s }
}

/** Parses Ethereum's r, s and v, 65 bytes in hexadecimal. v is ignored. @throws Error for any other text */
export function fromRsv(text: string): PlainSignature {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) throw new Error('the answer is no signature of 65 bytes')
  return { r: BigInt(`0x${text.slice(2, 66)}`), s: BigInt(`0x${text.slice(66, 130)}`) }
}

/** The same signature with the smaller s, the only one a chain accepts. @source EIP-2 */
export function lowS(signature: PlainSignature): PlainSignature {
  const { r, s } = signature
  const { n } = secp256k1.CURVE
  return s > n / 2n ? { r, s: n - s } : signature
}
