import { Integers } from '../numbers/integers.ts'
import { editDistance } from './edit-distance.ts'

/** Only words of letters can be mistyped; a code with another digit is another code. */
const LETTERS = /^\p{L}+$/u
/** Shorter words have too many neighbours. */
const LEAST_LETTERS = 4
/** From this length on, a word may differ in two letters. */
const LETTERS_FOR_TWO = 7
/** Longer strings are not words. */
const MOST_LETTERS = 32

/** A word that differs little from another. */
export interface Neighbour {
  readonly id: number
  readonly distance: number
}

/** Words of one length: their numbers, and which letters each has, one bit per letter. */
interface Shelf {
  readonly ids: Integers
  readonly letters: Integers
}

/** Known words by length, so that those near a mistyped one are found by comparing a few bits of each. */
export class Spelling {
  readonly #textOf: (id: number) => string
  readonly #shelves: (Shelf | undefined)[] = []

  constructor(textOf: (id: number) => string) {
    this.#textOf = textOf
  }

  add(id: number): void {
    const text = this.#textOf(id)
    if (!isSpelt(text)) return
    const shelf = this.#shelves[text.length] ?? { ids: new Integers(), letters: new Integers() }
    this.#shelves[text.length] = shelf
    shelf.ids.push(id)
    shelf.letters.push(lettersOf(text))
  }

  remove(id: number): void {
    const text = this.#textOf(id)
    const shelf = isSpelt(text) ? this.#shelves[text.length] : undefined
    const at = shelf ? shelf.ids.items.subarray(0, shelf.ids.length).indexOf(id) : -1
    if (!shelf || at < 0) return
    shelf.ids.set(at, shelf.ids.last ?? 0)
    shelf.letters.set(at, shelf.letters.last ?? 0)
    shelf.ids.length -= 1
    shelf.letters.length -= 1
  }

  /** The nearest known words: one letter away, or two if there are none and it has seven; never itself. */
  near(word: string): readonly Neighbour[] {
    if (!isSpelt(word)) return []
    let most = word.length >= LETTERS_FOR_TWO ? 2 : 1
    const found: Neighbour[] = []
    const letters = lettersOf(word)
    // Most typing errors keep the length; matches found there tighten the limit for the other lengths.
    const { length } = word
    for (const ofLength of [length, length - 1, length + 1, length - 2, length + 2]) {
      const longer = Math.abs(ofLength - length)
      const shelf = longer <= most ? this.#shelves[ofLength] : undefined
      if (!shelf) continue
      const { items } = shelf.letters
      for (let at = 0; at < shelf.ids.length; at += 1) {
        if (bitsOf((items[at] ?? 0) ^ letters) > 2 * most - longer) continue
        const id = shelf.ids.items[at] ?? 0
        const distance = editDistance(word, this.#textOf(id), most)
        if (distance === 0 || distance > most) continue
        found.push({ id, distance })
        most = distance
      }
    }
    return found.filter(({ distance }) => distance === most)
  }
}

const isSpelt = (text: string): boolean =>
  text.length >= LEAST_LETTERS && text.length <= MOST_LETTERS && LETTERS.test(text)

/** A replaced letter changes at most two bits, an added or missing one at most one, swapped ones none. */
function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at += 1) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}

function bitsOf(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
