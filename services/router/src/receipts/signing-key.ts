import { ed25519Jwk, ed25519Key } from '@callboard/sealing'

/** Media type of what is signed, so that no other signature of ours can pass as a receipt (RFC 8725 §3.11). */
const TYP = 'callboard-receipt+jws'

/** Makes compact JWS with Ed25519 (RFC 7515, RFC 8037). */
export interface SigningKey {
  /** The key's thumbprint (RFC 7638). */
  readonly kid: string
  readonly publicKey: Uint8Array
  readonly sign: (text: string) => string
}

/**
 * @param given the private key, 32 bytes; if absent, a new one
 * @param jku where the public keys are
 */
export function signingKey(given: Uint8Array | undefined, jku: string): SigningKey {
  const { kid, publicKey, sign } = ed25519Key(given)
  const head = base64url(JSON.stringify({ alg: 'EdDSA', typ: TYP, kid, jku }))
  return {
    ...{ kid, publicKey },
    sign(text) {
      const signed = `${head}.${base64url(text)}`
      return `${signed}.${sign(signed).toString('base64url')}`
    },
  }
}

/** A public key in the form for verifiers of receipts (RFC 8037 §2). */
export const publicJwk = (publicKey: Uint8Array) => ({ ...ed25519Jwk(publicKey), alg: 'EdDSA' }) as const

const base64url = (text: string) => Buffer.from(text).toString('base64url')
