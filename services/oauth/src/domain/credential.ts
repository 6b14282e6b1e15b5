import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const SECRET_BYTES = 32
const SHOWN_CHARACTERS = 12

/** A fresh secret, and what is stored of it. The secret itself is shown once and never kept. */
export interface NewCredential {
  readonly secret: string
  readonly hash: string
  /** The first characters, by which an owner recognises a credential. */
  readonly prefix: string
}

/** SHA-256 in hex: secrets carry 256 random bits, so a plain hash cannot be turned back by guessing. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Whether a secret is the one that a hash was made of; takes as long either way. */
export const isSecretOf = (secret: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(hash))

/** What a secret is: it stands in its prefix, for example `cb_key_…`, so that scanners find leaked ones. */
export type CredentialKind = 'key' | 'session' | 'access' | 'refresh' | 'device' | 'code' | 'client' | 'registration'

export const isOfKind = (secret: string, kind: CredentialKind): boolean => secret.startsWith(`cb_${kind}_`)

export function newCredential(kind: CredentialKind): NewCredential {
  const secret = `cb_${kind}_${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, SHOWN_CHARACTERS) }
}
