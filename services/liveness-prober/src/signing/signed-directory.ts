import { createHash } from 'node:crypto'
import { ed25519Jwk } from '@callboard/sealing'
import { SECOND_MS } from '@callboard/values'
import { messageSignature } from './message-signature.ts'
import type { SigningKeys } from './signing-keys.ts'

const DIRECTORY_TAG = 'http-message-signatures-directory'

/** Longer than the directory may be cached. */
const VALID_S = 3_600

/**
 * The public keys, and one signature of the answer by each of them, bound to our host and to the body: the body is the
 * JSON of `{keys}` without spaces.
 * @source draft-ietf-webbotauth-httpsig-protocol-01, RFC 9421 §2.4, RFC 9530 §2
 */
export function signedDirectory(signing: SigningKeys, baseUrl: string, now: number) {
  const keys = signing.map(({ publicKey }) => ed25519Jwk(publicKey))
  const digest = createHash('sha256').update(JSON.stringify({ keys })).digest('base64')
  const contentDigest = `sha-256=:${digest}:`
  const components = [
    { id: '"@authority";req', value: new URL(baseUrl).host },
    { id: '"content-digest"', value: contentDigest },
  ]
  const created = Math.floor(now / SECOND_MS)
  const signatures = signing.map((key, index) =>
    messageSignature(
      `sig${index + 1}`,
      components,
      { created, expires: created + VALID_S, keyid: key.kid, alg: 'ed25519', tag: DIRECTORY_TAG },
      key,
    ),
  )
  return {
    keys,
    messageSignature: {
      contentDigest,
      signatureInput: signatures.map(({ signatureInput }) => signatureInput).join(', '),
      signature: signatures.map(({ signature }) => signature).join(', '),
    },
  }
}
