import type { Aliases } from './aliases.ts'
import { wordsOf } from './words.ts'

/** Two or three words joined by hyphens, which others write as one; what is joined further is a path. */
const HYPHENATED = /^[a-z0-9]{1,16}-[a-z0-9]{1,16}(?:-[a-z0-9]{1,16})?$/i
const HYPHEN = '-'
const JOINABLE = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9-]/i.test(String.fromCharCode(code)) ? 1 : 0))
/** So many digits are a number of somebody's, that nobody writes in another way. */
const NUMBER = /\d{5}/

/** A name in the spelling of programs, whose words begin with capitals. */
const CAMEL_CASE = /(?<![A-Za-z0-9])[A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*/g
const CAPITALS = /([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g
/** `i` of `iPhone` says nothing. */
const LEAST_OF_NAME = 2
/** What has more capitals is an address or a key. */
const MOST_PARTS = 6

/** German letters, and how they are written where a keyboard has none. */
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' }
const BEYOND_ASCII = /[^\0-\x7f]/
const WITH_UMLAUT = /(?<![\p{L}\p{N}])[\p{L}\p{N}]*[äöüÄÖÜ][\p{L}\p{N}]*/gu

/**
 * All by which a text is found: its words in their order, then what it says in other words: labels of aliases, `onchain` for
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

/** What hyphens join in a text. */
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

/** How others write what hyphens join. */
export const joinedWords = (joined: readonly string[]): string[] =>
  joined.filter((one) => !NUMBER.test(one)).map((one) => one.replaceAll('-', '').toLowerCase())

/** The words of names in the spelling of programs. */
export const partsOfNames = (names: readonly string[]): string[] =>
  names
    .map(partsOfName)
    .filter(({ length }) => length <= MOST_PARTS)
    .flat()
    .filter(({ length }) => length >= LEAST_OF_NAME)

const partsOfName = (name: string): string[] => wordsOf(name.replace(CAPITALS, '$& '))
