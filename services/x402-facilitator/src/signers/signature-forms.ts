import { secp256k1 } from '@noble/curves/secp256k1'
import type { PlainSignature } from './signer.ts'

/**
 * A signature as KMS of AWS and Google answer with it.
 * @throws Error where the bytes are none
 * @source RFC 3279 §2.2.3, Ecdsa-Sig-Value
 */
export function fromDer(bytes: Uint8Array): PlainSignature {
  const { r, s } = secp256k1.Signature.fromDER(bytes)
  return { r, s }
}

/** A signature as Ethereum writes it: r, s and v, 65 bytes in hexadecimal. v is not read. @throws Error where the text is none */
export function fromRsv(text: string): PlainSignature {
  if (!/^0x[0-9a-fA-F]{130}$/.test(text)) throw new Error('the answer is no signature of 65 bytes')
  return { r: BigInt(`0x${text.slice(2, 66)}`), s: BigInt(`0x${text.slice(66, 130)}`) }
}

/** The same signature with the smaller s, which alone a chain takes. @source EIP-2 */
export function lowS(signature: PlainSignature): PlainSignature {
  const { r, s } = signature
  const { n } = secp256k1.CURVE
  return s > n / 2n ? { r, s: n - s } : signature
}
