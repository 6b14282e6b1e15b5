import { randomBytes } from 'node:crypto'
import { SECOND_MS } from '@callboard/values'
import { SignJWT } from 'jose'
import type { CdpKey } from './cdp-key.ts'

/** The platform accepts tokens with a lifetime of at most two minutes. */
const LIFETIME_SECONDS = 120

/** The single request for which a token is valid. */
export interface CdpRequest {
  readonly method: string
  readonly host: string
  readonly path: string
}

/**
 * A token for one request; each request gets a new one.
 * @param keyId the API key's id
 * @param nowMs Unix milliseconds
 * @source Coinbase Developer Platform, JWT authentication: `iss` is `cdp`, `uris` the method, host and path
 */
export function cdpToken(
  keyId: string,
  { algorithm, key }: CdpKey,
  { method, host, path }: CdpRequest,
  nowMs: number,
): Promise<string> {
  const now = Math.floor(nowMs / SECOND_MS)
  return new SignJWT({ uris: [`${method} ${host}${path}`] })
    .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT', nonce: randomBytes(16).toString('hex') })
    .setIssuer('cdp')
    .setSubject(keyId)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(key)
}
