import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'

/** What stands before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** Media type of what is signed, so that no other signature of ours is taken for a receipt (RFC 8725 §3.11). */
const TYP = 'callboard-receipt+jws'

/** Makes compact JWS with Ed25519 (RFC 7515, RFC 8037). */
export interface SigningKey {
  /** The key's thumbprint (RFC 7638). */
  readonly kid: string
  readonly publicKey: Uint8Array
  readonly sign: (text: string) => string
}

/**
 * @param given the private key, 32 bytes; a fresh one when absent
 * @param jku where the public keys are
 */
export function signingKey(given: Uint8Array | undefined, jku: string): SigningKey {
  const seed = given ?? randomBytes(SEED_BYTES)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  const { kid } = publicJwk(publicKey)
  const head = base64url(JSON.stringify({ alg: 'EdDSA', typ: TYP, kid, jku }))
  return {
    ...{ kid, publicKey },
    sign(text) {
      const signed = `${head}.${base64url(text)}`
      return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
    },
  }
}

/** A public key as those that check signatures read it (RFC 8037 §2). */
export function publicJwk(publicKey: Uint8Array) {
  const needed = { crv: 'Ed25519', kty: 'OKP', x: Buffer.from(publicKey).toString('base64url') } as const
  const kid = createHash('sha256').update(JSON.stringify(needed)).digest('base64url')
  return { ...needed, kid, use: 'sig', alg: 'EdDSA' } as const
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
