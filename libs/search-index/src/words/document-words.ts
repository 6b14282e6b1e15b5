import type { Aliases } from './aliases.ts'
import { wordsOf } from './words.ts'

/** Two or three words joined by hyphens, which others write as one; what is joined further is a path. */
const HYPHENATED = /(?<![a-z0-9-])[a-z0-9]{1,16}-[a-z0-9]{1,16}(?:-[a-z0-9]{1,16})?(?![a-z0-9-])/gi
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
  const joined = text.includes('-') ? (text.match(HYPHENATED) ?? []) : []
  const named =
    text
      .match(CAMEL_CASE)
      ?.map(partsOfName)
      .filter(({ length }) => length <= MOST_PARTS) ?? []
  const umlauts = BEYOND_ASCII.test(text) ? (text.normalize('NFC').match(WITH_UMLAUT) ?? []) : []
  if (said.length + joined.length + named.length + umlauts.length === 0) return words
  const more = new Set(said.map(({ label }) => label))
  for (const one of joined) if (!NUMBER.test(one)) more.add(one.replaceAll('-', '').toLowerCase())
  for (const part of named.flat()) if (part.length >= LEAST_OF_NAME) more.add(part)
  for (const one of umlauts)
    for (const word of wordsOf(one.replace(/[äöü]/gi, (letter) => UMLAUTS[letter] ?? letter))) more.add(word)
  words.push(...more)
  return words
}

const partsOfName = (name: string): string[] => wordsOf(name.replace(CAPITALS, '$& '))
