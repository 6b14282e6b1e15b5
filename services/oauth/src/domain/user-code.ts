import { randomInt } from 'node:crypto'

/** RFC 8628 §6.1: no vowels, so no words; none that look alike. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** 20^8 codes: some 34 bits, which the limit on wrong codes makes enough (RFC 8628 §5.1). */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('')

/** As people read it out: `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** What somebody typed as a code is stored; undefined when it cannot be one, whatever is stored. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return letters.length === LENGTH && [...letters].every((letter) => ALPHABET.includes(letter)) ? letters : undefined
}
