import { Integers } from '../numbers/integers.ts'

const MAX_BLOCK = 512
const FULL_BLOCK = 384

/** The numbers of words in the order of the words, in blocks, so that an insertion moves few others. */
export class WordOrder {
  readonly #textOf: (id: number) => string
  #blocks: Integers[] = []

  constructor(textOf: (id: number) => string) {
    this.#textOf = textOf
  }

  add(id: number): void {
    const text = this.#textOf(id)
    const at = Math.max(0, this.#blockOf(text))
    const block = this.#blocks[at]
    if (!block) {
      this.append(id)
      return
    }
    block.insert(this.#indexIn(block, text), id)
    if (block.length > MAX_BLOCK) this.#blocks.splice(at + 1, 0, block.cut(MAX_BLOCK / 2))
  }

  /** Adds a word that comes after all others. */
  append(id: number): void {
    const last = this.#blocks.at(-1)
    if (last && last.length < FULL_BLOCK) {
      last.push(id)
    } else {
      const block = new Integers()
      block.push(id)
      this.#blocks.push(block)
    }
  }

  /** Removes a word that is in. */
  remove(id: number): void {
    const text = this.#textOf(id)
    const at = this.#blockOf(text)
    const block = this.#blocks[at]
    const index = block ? this.#indexIn(block, text) : 0
    if (block?.at(index) !== id) throw new Error(`The word ${text} is not in`)
    block.remove(index)
    if (block.length === 0) this.#blocks.splice(at, 1)
  }

  /** The numbers of the words from a text on. */
  *from(text: string): Generator<number> {
    const start = Math.max(0, this.#blockOf(text))
    for (let at = start; at < this.#blocks.length; at += 1) {
      const block = this.#blocks[at]
      if (!block) return
      yield* block.items.subarray(at === start ? this.#indexIn(block, text) : 0, block.length)
    }
  }

  /** The last block that does not begin after a text; -1 if all do. */
  #blockOf(text: string): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#textAt(this.#blocks[middle], 0) <= text) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** Where a text is in a block, or would be. */
  #indexIn(block: Integers, text: string): number {
    let low = 0
    let high = block.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#textAt(block, middle) < text) low = middle + 1
      else high = middle
    }
    return low
  }

  #textAt(block: Integers | undefined, index: number): string {
    return this.#textOf(block?.at(index) ?? -1)
  }
}
