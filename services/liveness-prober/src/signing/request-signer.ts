import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '@callboard/values'
import { messageSignature } from './message-signature.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The tag of a signature that only identifies the program that sends the request (Web Bot Auth). */
const REQUEST_TAG = 'web-bot-auth'

/** How long a signature is valid: an answer comes within seconds, and clocks may differ by seconds too. */
const VALID_S = 60
const NONCE_BYTES = 64
const LABEL = 'sig1'
const NONE: Readonly<Record<string, string>> = {}

/** The headers by which a request to a URL proves its sender. */
export type RequestSigner = (url: URL) => Readonly<Record<string, string>>

/**
 * Signs requests per Web Bot Auth: bound to the requested host, for a minute, under the thumbprint of a key in the
 * directory at our origin.
 * @param baseUrl our public base URL; its origin serves the directory
 * @param keys the current ones; without any, no header is added
 * @source draft-ietf-webbotauth-httpsig-protocol-01, RFC 9421
 */
export function requestSigner(keys: () => SigningKeys, baseUrl: string, now: () => number): RequestSigner {
  const agent = JSON.stringify(new URL(baseUrl).origin)
  return ({ host }) => {
    const [key] = keys()
    if (!key) return NONE
    const created = Math.floor(now() / SECOND_MS)
    const { signatureInput, signature } = messageSignature(
      LABEL,
      [
        { id: '"@authority"', value: host },
        { id: `"signature-agent";key="${LABEL}"`, value: agent },
      ],
      {
        created,
        expires: created + VALID_S,
        keyid: key.kid,
        alg: 'ed25519',
        nonce: randomBytes(NONCE_BYTES).toString('base64url'),
        tag: REQUEST_TAG,
      },
      key,
    )
    return { 'signature-agent': `${LABEL}=${agent}`, 'signature-input': signatureInput, signature }
  }
}
