import { randomInt } from 'node:crypto'

const FREE = -1
/** A cell holds the hash, the number of the word, and its letters if there are few enough to fit. */
const [CELL, NUMBER, FIRST, REST] = [4, 1, 2, 3]
const [HALF, SHORT] = [4, 8]
const LEAST_CELLS = 64
/** Instead of FNV's own, and random per process: nobody can craft words that all fall into one cell of a table. */
const OFFSET = randomInt(2 ** 32)
/** The prime of FNV-1a, 32 bits. */
const PRIME = 0x01000193
const [A, Z] = [65, 90]
/** The distance from an ASCII capital to its lower-case letter. */
export const TO_LOWER = 32

/** The hash of no characters. */
export const NO_CHARACTERS: number = OFFSET | 0

/** Extends a hash by one lower-case character. */
export const hashed = (hash: number, character: number): number => Math.imul(hash ^ character, PRIME)

/** An ASCII character in lower case; any other as it is. */
const lowered = (character: number): number => (character >= A && character <= Z ? character + TO_LOWER : character)

/**
 * The numbers of words by their characters, so that a word is found within a text, without copying it out.
 * @source Fowler, Noll, Vo: FNV-1a; Knuth, The Art of Computer Programming 3, 6.4: linear probing
 */
export class WordTable {
  readonly #texts: readonly string[]
  /** At most half of them are taken. Most words are short and matched without reading their scattered texts. */
  #cells = empty(LEAST_CELLS)
  #mask = LEAST_CELLS - 1
  #size = 0

  /** @param texts words by number; the table keeps reading it */
  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  get size(): number {
    return this.#size
  }

  /** The number of a word; -1 if it is not in the table. */
  idOf(word: string): number {
    const hash = hashOf(word)
    const cells = this.#cells
    for (let cell = this.#firstCell(hash); ; cell = (cell + 1) & this.#mask) {
      const id = cells[CELL * cell + NUMBER] ?? FREE
      if (id === FREE || (cells[CELL * cell] === hash && this.#texts[id] === word)) return id
    }
  }

  /**
   * The number of the word at a place in an ASCII text, which is in lower case.
   * @param hash of its characters, by `hashed`
   */
  idIn(text: Uint8Array, from: number, to: number, hash: number): number {
    const cells = this.#cells
    const isShort = to - from <= SHORT
    const first = isShort ? packed(text, from, Math.min(to, from + HALF)) : 0
    const rest = isShort ? packed(text, from + HALF, to) : 0
    for (let cell = this.#firstCell(hash); ; cell = (cell + 1) & this.#mask) {
      const at = CELL * cell
      const id = cells[at + NUMBER] ?? FREE
      if (id === FREE) return FREE
      if (cells[at] !== hash) continue
      const isSame = isShort
        ? cells[at + FIRST] === first && cells[at + REST] === rest
        : isIn(text, from, to, this.#texts[id] ?? '')
      if (isSame) return id
    }
  }

  /** Adds a word that is not yet in; its text is looked up by number. */
  add(id: number): void {
    if (2 * (this.#size + 1) > this.#mask + 1) this.#grow()
    this.#size += 1
    const text = this.#texts[id] ?? ''
    const letters = isShortAscii(text) ? Buffer.from(text) : NOTHING
    this.#put(
      hashOf(text),
      id,
      packed(letters, 0, Math.min(letters.length, HALF)),
      packed(letters, HALF, letters.length),
    )
  }

  /** Removes a word that is in. */
  remove(id: number): void {
    const cells = this.#cells
    let free = this.#firstCell(hashOf(this.#texts[id] ?? ''))
    while (cells[CELL * free + NUMBER] !== id) free = (free + 1) & this.#mask
    this.#size -= 1
    for (let cell = (free + 1) & this.#mask; cells[CELL * cell + NUMBER] !== FREE; cell = (cell + 1) & this.#mask) {
      const first = this.#firstCell(cells[CELL * cell] ?? 0)
      if (((cell - first) & this.#mask) < ((cell - free) & this.#mask)) continue
      cells.copyWithin(CELL * free, CELL * cell, CELL * (cell + 1))
      free = cell
    }
    cells[CELL * free + NUMBER] = FREE
  }

  #put(hash: number, id: number, first: number, rest: number): void {
    let cell = this.#firstCell(hash)
    while (this.#cells[CELL * cell + NUMBER] !== FREE) cell = (cell + 1) & this.#mask
    const at = CELL * cell
    this.#cells[at] = hash
    this.#cells[at + NUMBER] = id
    this.#cells[at + FIRST] = first
    this.#cells[at + REST] = rest
  }

  /** Folds in the upper bits, where FNV spreads best. */
  #firstCell(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask
  }

  #grow(): void {
    const before = this.#cells
    this.#mask = 2 * this.#mask + 1
    this.#cells = empty(this.#mask + 1)
    for (let at = 0; at < before.length; at += CELL) {
      const id = before[at + NUMBER] ?? FREE
      if (id !== FREE) this.#put(before[at] ?? 0, id, before[at + FIRST] ?? 0, before[at + REST] ?? 0)
    }
  }
}

const NOTHING = new Uint8Array(0)
const empty = (cells: number): Int32Array => new Int32Array(CELL * cells).fill(FREE)
const isShortAscii = (text: string): boolean => text.length <= SHORT && /^[ -~]+$/.test(text)

/** At most four letters as one number; no letter is 0, so that fewer letters give a different number. */
function packed(letters: Uint8Array, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = (number << 8) | (letters[at] ?? 0)
  return number
}

function hashOf(word: string): number {
  let hash = NO_CHARACTERS
  for (let at = 0; at < word.length; at += 1) hash = hashed(hash, lowered(word.charCodeAt(at)))
  return hash
}

function isIn(text: Uint8Array, from: number, to: number, word: string): boolean {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at += 1) {
    if (text[from + at] !== word.charCodeAt(at)) return false
  }
  return true
}
