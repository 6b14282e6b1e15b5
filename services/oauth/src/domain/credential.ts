import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 12

/** A new secret, and the parts that are stored. The secret itself is shown once and never stored. */
export interface NewCredential {
  readonly secret: string
  readonly hash: string
  /** The first characters, by which owners recognize a credential. */
  readonly prefix: string
}

/** SHA-256 in hex: with 256 random bits per secret, a plain hash cannot be reversed by guessing. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a hash was made from this secret; takes equally long either way. */
export const isSecretOf = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))

/** The kind of a secret. Its prefix names it, for example `cb_key_…`, so that scanners find leaked ones. */
export type CredentialKind = 'key' | 'session' | 'access' | 'refresh' | 'device' | 'code' | 'client' | 'registration'

export const isOfKind = (secret: string, kind: CredentialKind): boolean => secret.startsWith(`cb_${kind}_`)

export function newCredential(kind: CredentialKind): NewCredential {
  const secret = `cb_${kind}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_CHARACTERS) }
}
