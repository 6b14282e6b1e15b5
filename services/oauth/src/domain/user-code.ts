import { randomInt, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** RFC 8628 §6.1: no vowels, so no words; no letters that look alike. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** 20^8 codes: about 34 bits, which suffices with the limit on wrong codes (RFC 8628 §5.1). */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** A code in the form that people read aloud: `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** Normalizes a typed code to its stored form; undefined if it cannot be a code at all. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : undefined
}

const SALT = 'callboard user code'
/** About 5 ms of one core, and 2 MiB. */
const COST = { N: 2_048, r: 8, p: 1 }
const HASH_BYTES = 32

type Derive = (secret: string, salt: string, bytes: number, cost: typeof COST) => Promise<Buffer>
const derive = promisify(scrypt) as Derive

/**
 * The stored hash of a code. A code has about 34 bits, so a plain hash would be reversed within seconds; this one (RFC
 * 7914) outlasts a code's twenty minutes. All share one salt, since codes are looked up by hash.
 */
export const hashUserCode = async (code: string): Promise<string> =>
  (await derive(code, SALT, HASH_BYTES, COST)).toString('base64url')
