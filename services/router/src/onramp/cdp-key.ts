import { createPrivateKey, type KeyObject } from 'node:crypto'

/** A key that signs tokens for the Coinbase Developer Platform, with the JWS name of its algorithm. */
export interface CdpKey {
  readonly algorithm: 'EdDSA' | 'ES256'
  readonly key: KeyObject
}

/** An Ed25519 secret is the private key followed by the public key, 32 bytes each. */
const ED25519_BYTES = 64
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Parses a secret in the platform's format: base64 of an Ed25519 key, or a PEM of an EC key on P-256 (SEC 1 or PKCS
 * #8), whose line breaks may be written `\n`.
 * @returns undefined for anything else
 * @source Coinbase Developer Platform, API key authentication
 */
export function cdpKey(secret: string): CdpKey | undefined {
  const text = secret.trim()
  try {
    return text.startsWith('-----BEGIN ') ? ecKey(text.replaceAll('\\n', '\n')) : ed25519Key(text)
  } catch {
    return undefined
  }
}

function ecKey(pem: string): CdpKey | undefined {
  const key = createPrivateKey(pem)
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  return isP256 ? { algorithm: 'ES256', key } : undefined
}

function ed25519Key(text: string): CdpKey | undefined {
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (bytes.length !== ED25519_BYTES) return undefined
  const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString('base64url'))
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x } as never, format: 'jwk' })
  return { algorithm: 'EdDSA', key }
}
