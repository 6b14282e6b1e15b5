import { randomBytes } from 'node:crypto'
import type { Counters } from './counters/counters.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 24 // 24 of 62 characters: more than 140 bits
const UNBIASED = 256 - (256 % ALPHABET.length)

/** How long a nonce is valid, in milliseconds. */
export const NONCE_TTL_MS = 10 * 60_000

/** Returns an alphanumeric nonce, as EIP-4361 requires. */
export function newNonce(): string {
  let nonce = ''
  while (nonce.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < UNBIASED && nonce.length < LENGTH) nonce += ALPHABET[byte % ALPHABET.length]
    }
  }
  return nonce
}

const keyOf = (purpose: string, nonce: string) => `nonce:${purpose}:${nonce}`

/** Creates a nonce that can be used once, for this purpose. */
export async function issueNonce(counters: Counters, purpose: string, now: number) {
  const nonce = newNonce()
  await counters.putOnce(keyOf(purpose, nonce), '1', NONCE_TTL_MS)
  return { nonce, expiresAtMs: now + NONCE_TTL_MS }
}

/** Uses up a nonce. @returns false when it was not issued for this purpose, was used, or is too old */
export async function consumeNonce(counters: Counters, purpose: string, nonce: string): Promise<boolean> {
  if (nonce.length > 64) return false
  return (await counters.getAndDelete(keyOf(purpose, nonce))) !== undefined
}
