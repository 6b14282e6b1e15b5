import type { Aliases } from './aliases.ts'
import { wordsOf } from './words.ts'

/** Two or three words joined by hyphens, which others write as one; longer chains are paths. */
const HYPHENATED = /^[a-z0-9]{1,16}-[a-z0-9]{1,16}(?:-[a-z0-9]{1,16})?$/i
const HYPHEN = '-'
const JOINABLE = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9-]/i.test(String.fromCharCode(code)) ? 1 : 0))
/** A run of digits this long is an identifier, which nobody writes in another way. */
const NUMBER = /\d{5}/

/** An identifier in camel case, whose inner words begin with capitals. */
const CAMEL_CASE = /(?<![A-Za-z0-9])[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*/g
const CAPITALS = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g
/** The `i` of `iPhone` says nothing. */
const LEAST_OF_NAME = 2
/** A string with more capitals is an address or a key. */
const MOST_PARTS = 6

/** German letters, and how they are written on a keyboard without them. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }
const BEYOND_ASCII = /[^\0-\x7f]/
const WITH_UMLAUT = /(?<![\p{L}\p{N}])[\p{L}\p{N}]*[äöüÄÖÜ][\p{L}\p{N}]*/gu

/**
 * All words by which a text is found: its words in their order, then other forms: labels of aliases, `onchain` for
 * `on-chain`, `get` and `quote` for `getQuote`, and `ueber` for `über`.
 */
export function documentWords(text: string, aliases: Aliases): string[] {
  const words = wordsOf(text)
  const said = aliases.in(words)
  const joined = text.includes('-') ? hyphenated(text) : []
  const named = partsOfNames(text.match(CAMEL_CASE) ?? [])
  const umlauts = BEYOND_ASCII.test(text) ? (text.normalize('NFC').match(WITH_UMLAUT) ?? []) : []
  if (said.length + joined.length + named.length + umlauts.length === 0) return words
  const more = new Set(said.map(({ label }) => label))
  for (const word of joinedWords(joined)) more.add(word)
  for (const part of named) more.add(part)
  for (const one of umlauts)
    for (const word of wordsOf(one.replace(/[äöü]/gi, (letter) => UMLAUTS[letter] ?? letter))) more.add(word)
  words.push(...more)
  return words
}

/** The words of a text that are joined by hyphens. */
export function hyphenated(text: string): string[] {
  const found: string[] = []
  for (let hyphen = text.indexOf(HYPHEN); hyphen >= 0; ) {
    let [from, to] = [hyphen, hyphen + 1]
    while (from > 0 && JOINABLE[text.charCodeAt(from - 1)] === 1) from -= 1
    while (to < text.length && JOINABLE[text.charCodeAt(to)] === 1) to += 1
    const joined = text.slice(from, to)
    if (HYPHENATED.test(joined)) found.push(joined)
    hyphen = text.indexOf(HYPHEN, to)
  }
  return found
}

/** The same words written as one. */
export const joinedWords = (joined: readonly string[]): string[] =>
  joined.filter((one) => !NUMBER.test(one)).map((one) => one.replaceAll('-', '').toLowerCase())

/** The words of identifiers in camel case. */
export const partsOfNames = (names: readonly string[]): string[] =>
  names
    .map(partsOfName)
    .filter(({ length }) => length <= MOST_PARTS)
    .flat()
    .filter(({ length }) => length >= LEAST_OF_NAME)

const partsOfName = (name: string): string[] => wordsOf(name.replace(CAPITALS, '$& '))
