import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 16

/** SHA-256 of a secret: with its 256 random bits, a plain hash cannot be reversed by guessing. */
export const hashSecret = (secret: string): Uint8Array => createHash('sha256').update(secret).digest()

/** A new key: its secret, which is shown once, and the parts that are stored. Its prefix helps scanners find leaks. */
export function newSecret(): { secret: string; hash: Uint8Array; prefix: string } {
  const secret = `cb_router_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_CHARACTERS) }
}
