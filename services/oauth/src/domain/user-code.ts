import { randomInt, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** RFC 8628 §6.1: no vowels, so no words; none that look alike. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** 20^8 codes: some 34 bits, which the limit on wrong codes makes enough (RFC 8628 §5.1). */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** As people read it out: `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** A code as it is stored, from what was typed; undefined when it cannot be one, whatever is stored. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : undefined
}

const SALT = 'callboard user code'
/** Some 5 ms of one core and 2 MiB. */
const COST = { N: 2_048, r: 8, p: 1 }
const HASH_BYTES = 32

type Derive = (secret: string, salt: string, bytes: number, cost: typeof COST) => Promise<Buffer>
const derive = promisify(scrypt) as Derive

/**
 * What is stored of a code. It has some 34 bits, so a plain hash would be turned back within seconds; this one (RFC 7914)
 * outlasts the twenty minutes of a code. The salt is one for all, since a code is looked up by it.
 */
export const hashUserCode = async (code: string): Promise<string> =>
  (await derive(code, SALT, HASH_BYTES, COST)).toString('base64url')
