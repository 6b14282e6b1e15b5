import type { Aliases } from './aliases.ts'
import { documentWords, hyphenated, joinedWords, partsOfNames } from './document-words.ts'
import type { Vocabulary } from './vocabulary.ts'
import { hashed, NO_CHARACTERS, TO_LOWER } from './word-table.ts'
import { MAX_WORD } from './words.ts'

/** The kinds of ASCII characters in a word. */
const NONE = 0
const LETTER_OR_DIGIT = 1
const CAPITAL = 2
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/.test(character) ? LETTER_OR_DIGIT : /[A-Z]/.test(character) ? CAPITAL : NONE
})
const [HYPHEN, PLUS, SHARP, LEAST_LETTER] = [45, 43, 35, 65]
const USUAL_LENGTH = 4_096

/**
 * Reads texts into the numbers of their words, with the same result as `documentWords`. ASCII texts are read byte by
 * byte: nearly all words of a text are known, and recognizing one needs no string.
 */
export class TextReader {
  readonly #vocabulary: Vocabulary
  readonly #aliases: Aliases
  /** The text being read: reading a byte is faster than reading a character of a string. */
  #bytes = Buffer.alloc(USUAL_LENGTH)

  constructor(vocabulary: Vocabulary, aliases: Aliases) {
    this.#vocabulary = vocabulary
    this.#aliases = aliases
  }

  /** Appends the numbers of a text's words to `ids`. @param idOf gives a number to a word that has none */
  read(text: string, ids: number[], idOf: (word: string) => number): void {
    const start = ids.length
    const marks = this.#readWords(text, ids, idOf)
    if (!marks) {
      ids.length = start
      for (const word of documentWords(text, this.#aliases)) ids.push(idOf(word))
      return
    }
    const labels = this.#labelsOf(ids, start)
    const joined = marks.hasHyphens ? joinedWords(hyphenated(text)) : []
    if (labels.length + marks.names.length + joined.length === 0) return
    for (const word of new Set([...labels, ...joined, ...partsOfNames(marks.names)])) ids.push(idOf(word))
  }

  /** @returns what is needed for other forms of the words; undefined if the text is not all ASCII */
  #readWords(text: string, ids: number[], idOf: (word: string) => number) {
    if (text.length >= this.#bytes.length) this.#bytes = Buffer.alloc(2 * text.length)
    const bytes = this.#bytes
    const { length } = text
    if (bytes.write(text) !== length) return undefined
    bytes[length] = 0
    const names: string[] = []
    let hasHyphens = false
    let from = -1
    let hash = NO_CHARACTERS
    let before = NONE
    let isName = false
    for (let at = 0; at <= length; at += 1) {
      const code = bytes[at] ?? 0
      const kind = KINDS[code]
      if (kind === undefined) return undefined
      if (kind !== NONE) {
        if (from < 0) {
          from = at
          hash = NO_CHARACTERS
          isName = false
        } else if (kind === CAPITAL && before === LETTER_OR_DIGIT) isName = true
        const character = kind === CAPITAL ? code + TO_LOWER : code
        bytes[at] = character
        hash = hashed(hash, character)
      } else if (from >= 0) {
        const known = at - from > 1 || signOf(text, from, at) === '' ? this.#vocabulary.idIn(bytes, from, at, hash) : -1
        ids.push(known >= 0 ? known : idOf(wordIn(text, from, at)))
        if (isName) names.push(text.slice(from, at))
        if (code === HYPHEN) hasHyphens = true
        from = -1
      }
      before = kind
    }
    return { names, hasHyphens }
  }

  /** The labels of the aliases that occur from an index on. */
  #labelsOf(ids: readonly number[], start: number): string[] {
    const labels: string[] = []
    for (let at = start; at < ids.length; at += 1) {
      const ways = this.#vocabulary.waysFrom(ids[at] ?? -1)
      for (const { words, label } of ways) {
        if (at + words.length > ids.length) continue
        if (words.every((word, index) => this.#vocabulary.idOf(word) === ids[at + index])) labels.push(label)
      }
    }
    return labels
  }
}

/** The word at a place in an ASCII text, with its sign. */
function wordIn(text: string, from: number, to: number): string {
  return (text.slice(from, Math.min(to, from + MAX_WORD)) + signOf(text, from, to)).toLowerCase()
}

/** The sign that belongs to a single letter, as in `c++` and `c#`. */
function signOf(text: string, from: number, to: number): string {
  if (to - from !== 1 || text.charCodeAt(from) < LEAST_LETTER) return ''
  const next = text.charCodeAt(to)
  if (next === PLUS && text.charCodeAt(to + 1) === PLUS) return '++'
  return next === SHARP && !KINDS[text.charCodeAt(to + 1)] ? '#' : ''
}
