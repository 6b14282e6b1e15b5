import { randomInt } from 'node:crypto'

const FREE = -1
const LEAST_CELLS = 64
/** In place of FNV's own, and another one in each process: nobody can write words that all fall into one cell of a table. */
const OFFSET = randomInt(2 ** 32)
/** Of FNV-1a, 32 bits. */
const PRIME = 0x01000193
const [A, Z, TO_LOWER] = [65, 90, 32]

/** The hash of no characters. */
export const NO_CHARACTERS: number = OFFSET | 0

/** The hash of some characters and one more, in lower case. */
export const hashed = (hash: number, character: number): number => Math.imul(hash ^ character, PRIME)

/** A character of ASCII in lower case; any other as it is. */
export const lowered = (character: number): number =>
  character >= A && character <= Z ? character + TO_LOWER : character

/**
 * The numbers of words by their characters, so that a word is found where it stands in a text, without being cut out of it.
 * @source Fowler, Noll, Vo: FNV-1a; Knuth, The Art of Computer Programming 3, 6.4: linear probing
 */
export class WordTable {
  readonly #textOf: (id: number) => string
  /** Of each cell the hash and the number; at most half of the cells are taken. */
  #cells = empty(LEAST_CELLS)
  #mask = LEAST_CELLS - 1
  #size = 0

  constructor(textOf: (id: number) => string) {
    this.#textOf = textOf
  }

  get size(): number {
    return this.#size
  }

  /** The number of a word; -1 for one that is not in. */
  idOf(word: string): number {
    const hash = hashOf(word)
    const cells = this.#cells
    for (let cell = this.#firstCell(hash); ; cell = (cell + 1) & this.#mask) {
      const id = cells[2 * cell + 1] ?? FREE
      if (id === FREE || (cells[2 * cell] === hash && this.#textOf(id) === word)) return id
    }
  }

  /**
   * The number of the word in lower case that stands in a text of ASCII.
   * @param hash of its characters, by `hashed` and `lowered`
   */
  idIn(text: string, from: number, to: number, hash: number): number {
    const cells = this.#cells
    for (let cell = this.#firstCell(hash); ; cell = (cell + 1) & this.#mask) {
      const id = cells[2 * cell + 1] ?? FREE
      if (id === FREE || (cells[2 * cell] === hash && isIn(text, from, to, this.#textOf(id)))) return id
    }
  }

  /** Puts in a word that is not in, whose text is known by its number. */
  add(id: number): void {
    if (2 * (this.#size + 1) > this.#mask + 1) this.#grow()
    this.#size += 1
    this.#put(hashOf(this.#textOf(id)), id)
  }

  /** Takes out a word that is in. */
  remove(id: number): void {
    const cells = this.#cells
    let free = this.#firstCell(hashOf(this.#textOf(id)))
    while (cells[2 * free + 1] !== id) free = (free + 1) & this.#mask
    this.#size -= 1
    for (let cell = (free + 1) & this.#mask; cells[2 * cell + 1] !== FREE; cell = (cell + 1) & this.#mask) {
      const first = this.#firstCell(cells[2 * cell] ?? 0)
      if (((cell - first) & this.#mask) < ((cell - free) & this.#mask)) continue
      cells[2 * free] = cells[2 * cell] ?? 0
      cells[2 * free + 1] = cells[2 * cell + 1] ?? FREE
      free = cell
    }
    cells[2 * free + 1] = FREE
  }

  #put(hash: number, id: number): void {
    let cell = this.#firstCell(hash)
    while (this.#cells[2 * cell + 1] !== FREE) cell = (cell + 1) & this.#mask
    this.#cells[2 * cell] = hash
    this.#cells[2 * cell + 1] = id
  }

  /** FNV spreads into its upper bits. */
  #firstCell(hash: number): number {
    return (hash ^ (hash >>> 15)) & this.#mask
  }

  #grow(): void {
    const before = this.#cells
    this.#mask = 2 * this.#mask + 1
    this.#cells = empty(this.#mask + 1)
    for (let at = 0; at < before.length; at += 2) {
      const id = before[at + 1] ?? FREE
      if (id !== FREE) this.#put(before[at] ?? 0, id)
    }
  }
}

const empty = (cells: number): Int32Array => new Int32Array(2 * cells).fill(FREE)

function hashOf(word: string): number {
  let hash = NO_CHARACTERS
  for (let at = 0; at < word.length; at += 1) hash = hashed(hash, lowered(word.charCodeAt(at)))
  return hash
}

function isIn(text: string, from: number, to: number, word: string): boolean {
  if (word.length !== to - from) return false
  for (let at = 0; at < word.length; at += 1) {
    if (lowered(text.charCodeAt(from + at)) !== word.charCodeAt(at)) return false
  }
  return true
}
