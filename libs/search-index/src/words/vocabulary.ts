import { sorted } from '../order/sorting.ts'
import { type Aliases, NO_ALIASES, type Way } from './aliases.ts'
import { Spelling } from './spelling.ts'
import { isStemmed, stemOf } from './stems.ts'
import { WordOrder } from './word-order.ts'
import { WordTable } from './word-table.ts'

/** V8 slices longer words out of a text without copying, which then keeps the whole text in memory. */
const COPIED_BY_V8 = 12

/** The plural is not tried for shorter words. */
const LETTERS_OF_SINGULAR = 5

/** Words between two yields of an arrangement. */
const BETWEEN_YIELDS = 5_000

const NO_WAYS: readonly Way[] = []
const LEAST_WORDS = 1_024

/** The words that documents have, each with a number, and in order, so that those with a common prefix are adjacent. */
export class Vocabulary {
  readonly #texts: string[] = []
  readonly #ids = new WordTable(this.#texts)
  readonly #aliases: Aliases
  /** The aliases that begin with a word, by its number; most have none, which `#begins` says faster. */
  readonly #ways = new Map<number, readonly Way[]>()
  #begins = new Uint8Array(LEAST_WORDS)
  readonly #order = new WordOrder((id) => this.textOf(id))
  readonly #free: number[] = []
  readonly #spelling = new Spelling((id) => this.textOf(id))
  /** The words of each stem, for words that can have one. */
  readonly #byStem = new Map<string, number | number[]>()

  constructor(aliases: Aliases = NO_ALIASES) {
    this.#aliases = aliases
  }

  get size(): number {
    return this.#ids.size
  }

  /** All numbers are below it. */
  get bound(): number {
    return this.#texts.length
  }

  idOf(word: string): number | undefined {
    const id = this.#ids.idOf(word)
    return id < 0 ? undefined : id
  }

  /** The number of a word in a text, as in `WordTable`; -1 if no document has it. */
  idIn(text: Uint8Array, from: number, to: number, hash: number): number {
    return this.#ids.idIn(text, from, to, hash)
  }

  /** The aliases that begin with a word. */
  waysFrom(id: number): readonly Way[] {
    return this.#begins[id] === 1 ? (this.#ways.get(id) ?? NO_WAYS) : NO_WAYS
  }

  /** The number of a word; assigns one if it has none. */
  learn(word: string): number {
    const known = this.#ids.idOf(word)
    if (known >= 0) return known
    const id = this.#give(word)
    this.#order.add(id)
    return id
  }

  /** The same while a register is being filled: new words can be searched by prefix only after `arrange`. */
  meet(word: string): number {
    const known = this.#ids.idOf(word)
    return known >= 0 ? known : this.#give(word)
  }

  /** Sorts all words that were added by `meet`, if none was added by `learn`. */
  async arrange(yieldToEventLoop: () => Promise<unknown>): Promise<void> {
    const byText = (a: number, b: number): number => (this.textOf(a) < this.textOf(b) ? -1 : 1)
    const ids = await sorted([...this.#texts.keys()], byText, yieldToEventLoop)
    for (const [index, id] of ids.entries()) {
      if (index % BETWEEN_YIELDS === 0) await yieldToEventLoop()
      this.#order.append(id)
    }
  }

  /** Frees the number of a word that no document has any more. */
  forget(id: number): void {
    this.#order.remove(id)
    this.#spelling.remove(id)
    this.#leaveStem(id)
    this.#ids.remove(id)
    if (this.#ways.delete(id)) this.#begins[id] = 0
    this.#texts[id] = ''
    this.#free.push(id)
  }

  /**
   * The numbers of the words that begin with a prefix.
   * @param most if there are more, returns undefined: gathering them would take longer than reading documents
   */
  startingWith(prefix: string, most: number): number[] | undefined {
    const ids: number[] = []
    for (const id of this.#order.from(prefix)) {
      if (!this.begins(id, prefix)) break
      if (ids.length === most) return undefined
      ids.push(id)
    }
    return ids
  }

  /** The numbers of the words that share the stem of a word, including its own. */
  withStemOf(word: string): readonly number[] {
    const ids = this.#byStem.get(stemOf(word))
    return ids === undefined ? [] : typeof ids === 'number' ? [ids] : ids
  }

  /** The numbers of the words that a mistyped one may stand for: the nearest, in the order of their texts. */
  near(word: string): readonly number[] {
    const near = this.#spelling.near(word)
    // `recpie` is two letters away from `recipes`: the plural may match a mistyped singular.
    const known = near.length > 0 || word.length < LETTERS_OF_SINGULAR ? near : this.#spelling.near(`${word}s`)
    const ids = known.map(({ id }) => id)
    return ids.sort((a, b) => (this.textOf(a) < this.textOf(b) ? -1 : 1))
  }

  /** The numbers of the words that share the stem of a known one. */
  kindredOf(id: number): readonly number[] {
    return this.withStemOf(this.textOf(id))
  }

  /** Whether a word begins with a prefix. */
  begins(id: number, prefix: string): boolean {
    return this.textOf(id).startsWith(prefix)
  }

  #give(word: string): number {
    const text = word.length > COPIED_BY_V8 ? structuredClone(word) : word
    const id = this.#free.pop() ?? this.#texts.length
    this.#texts[id] = text
    this.#ids.add(id)
    const ways = this.#aliases.from(text)
    if (ways.length > 0) this.#noteWays(id, ways)
    this.#spelling.add(id)
    this.#enterStem(id)
    return id
  }

  #noteWays(id: number, ways: readonly Way[]): void {
    this.#ways.set(id, ways)
    if (id >= this.#begins.length) {
      const grown = new Uint8Array(2 * id)
      grown.set(this.#begins)
      this.#begins = grown
    }
    this.#begins[id] = 1
  }

  #enterStem(id: number): void {
    const text = this.textOf(id)
    if (!isStemmed(text)) return
    const stem = stemOf(text)
    const known = this.#byStem.get(stem)
    if (known === undefined) this.#byStem.set(stem === text ? text : stem, id)
    else if (typeof known === 'number') this.#byStem.set(stem, [known, id])
    else known.push(id)
  }

  #leaveStem(id: number): void {
    const text = this.textOf(id)
    if (!isStemmed(text)) return
    const stem = stemOf(text)
    const known = this.#byStem.get(stem)
    if (typeof known === 'number') this.#byStem.delete(stem)
    else if (known?.length === 2) this.#byStem.set(stem, known[0] === id ? (known[1] ?? id) : (known[0] ?? id))
    else known?.splice(known.indexOf(id), 1)
  }

  /** The word of a number. */
  textOf(id: number): string {
    const text = this.#texts[id]
    if (text === undefined) throw new RangeError(`No word has the number ${id}`)
    return text
  }
}
