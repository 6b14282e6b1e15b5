import { createHash, createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto'

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED_BYTES = 32

/** A key that signs with Ed25519 (RFC 8032). */
export interface Ed25519Key {
  /** The key's thumbprint (RFC 7638). */
  readonly kid: string
  readonly publicKey: Uint8Array
  readonly sign: (text: string) => Buffer
}

/** @param given the private key, 32 bytes; a fresh one when absent */
export function ed25519Key(given?: Uint8Array): Ed25519Key {
  const seed = given ?? randomBytes(SEED_BYTES)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return {
    ...{ kid: ed25519Jwk(publicKey).kid, publicKey },
    sign: (text) => sign(null, Buffer.from(text), key),
  }
}

/** A public key in the form that verifiers read, under its thumbprint (RFC 8037 §2). */
export function ed25519Jwk(publicKey: Uint8Array) {
  const needed = { crv: 'Ed25519', kty: 'OKP', x: Buffer.from(publicKey).toString('base64url') } as const
  const kid = createHash('sha256').update(JSON.stringify(needed)).digest('base64url')
  return { ...needed, kid, use: 'sig' } as const
}
