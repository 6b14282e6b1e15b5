import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 16

/** SHA-256 of a secret: it carries 256 random bits, so a plain hash cannot be turned back by guessing. */
export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/** A fresh key: its secret, which is shown once, and what is stored of it. It begins so that scanners find leaked ones. */
export function newSecret(): { secret: string; hash: Uint8Array; prefix: string } {
  const secret = `cb_router_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_CHARACTERS) }
}
