import { folded } from './folding.ts'

/** Longer words are cut; no query is longer. */
export const MAX_WORD = 200
const ASCII = /^[\0-\x7f]*$/
/** Names of languages such as `c++` and `c#` are words; anywhere else these signs separate words. */
const SIGNED = String.raw`(?<![a-z0-9])[a-z](?:\+\+|#(?![a-z0-9]))`
const ASCII_WORD = new RegExp(`${SIGNED}|[a-z0-9]+`, 'g')
const WORD = new RegExp(String.raw`${SIGNED}|[\p{L}\p{M}\p{N}]+`, 'gu')
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/gu
const BEGINS_UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u

/**
 * The words of a text in their order: runs of letters, marks and digits, folded, not stemmed. All other characters
 * separate words, so a URL yields the words of its host and of its path. Chinese, Japanese and Korean yield pairs of
 * adjacent characters (bigrams), since nothing in the text marks where their words end.
 */
export function wordsOf(text: string): string[] {
  const plain = folded(text)
  if (ASCII.test(plain)) return short(plain.match(ASCII_WORD) ?? [])
  return short((plain.match(WORD) ?? []).flatMap(parts))
}

/** Whether a word is a single character of a script without blanks: it is found in the pairs that it begins. */
export const isLoneCharacter = (word: string): boolean =>
  word.length <= 2 && [...word].length === 1 && BEGINS_UNSPACED.test(word)

/** The words of a run of letters: pairs where the script has no blanks. */
function parts(run: string): string[] {
  if (ASCII.test(run)) return [run]
  return (run.match(UNSPACED) ?? []).flatMap((part) => (BEGINS_UNSPACED.test(part) ? pairs(part) : [part]))
}

function pairs(run: string): string[] {
  const characters = [...run]
  if (characters.length < 3) return [run]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

const short = (words: string[]): string[] =>
  words.some((word) => word.length > MAX_WORD) ? words.map((word) => word.slice(0, MAX_WORD)) : words
