import { createHash } from 'node:crypto'

/** RFC 7636 §4.2: SHA-256 in base64url. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636 §4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

export const isChallenge = (text: string): boolean => CHALLENGE.test(text)

/** Whether a verifier is the one that a challenge was made from, by the method S256. */
export const proves = (verifier: string, challenge: string): boolean =>
  VERIFIER.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge
