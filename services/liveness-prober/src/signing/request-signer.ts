import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '@callboard/values'
import { messageSignature } from './message-signature.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Tag of a signature that says which program asks, and for nothing else (Web Bot Auth). */
export const REQUEST_TAG = 'web-bot-auth'

/** How long a signature holds: an answer comes within seconds, and clocks differ by some. */
const VALID_S = 60
const NONCE_BYTES = 64
const LABEL = 'sig1'
const NONE: Readonly<Record<string, string>> = {}

/** The headers by which a request to a URL shows who asks. */
export type RequestSigner = (url: URL) => Readonly<Record<string, string>>

/**
 * Signs requests as Web Bot Auth has it: bound to the host that is asked, for a minute, under the thumbprint of a key
 * that stands in the directory at our origin.
 * @param baseUrl our public base URL; its origin serves the directory
 * @param keys those of the moment; without one no header is added
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
