import { sorted } from '../order/sorting.ts'
import { type Aliases, NO_ALIASES, type Way } from './aliases.ts'
import { Spelling } from './spelling.ts'
import { isStemmed, stemOf } from './stems.ts'
import { WordOrder } from './word-order.ts'
import { WordTable } from './word-table.ts'

/** V8 cuts longer words out of a text without copying them, and then holds the whole text for the word. */
const COPIED_BY_V8 = 12

/** A shorter word is not looked for in the plural. */
const LETTERS_OF_SINGULAR = 5

/** Words between two yields of an arrangement. */
const BETWEEN_YIELDS = 5_000

const NO_WAYS: readonly Way[] = []
const LEAST_WORDS = 1_024

/** The words that documents have, each under a number, and those that begin alike side by side. */
export class Vocabulary {
  readonly #texts: string[] = []
  readonly #ids = new WordTable(this.#texts)
  readonly #aliases: Aliases
  /** What may be said in other words, by the number of the first one; for most numbers there is nothing, which `#begins` says sooner. */
  readonly #ways = new Map<number, readonly Way[]>()
  #begins = new Uint8Array(LEAST_WORDS)
  readonly #order = new WordOrder((id) => this.textOf(id))
  readonly #free: number[] = []
  readonly #spelling = new Spelling((id) => this.textOf(id))
  /** The words of a stem, of those that can have one. */
  readonly #byStem = new Map<string, number | number[]>()

  constructor(aliases: Aliases = NO_ALIASES) {
    this.#aliases = aliases
  }

  get size(): number {
    return this.#ids.size
  }

  /** Numbers lie below it. */
  get bound(): number {
    return this.#texts.length
  }

  idOf(word: string): number | undefined {
    const id = this.#ids.idOf(word)
    return id < 0 ? undefined : id
  }

  /** The number of a word that stands in a text, as `WordTable` has it; -1 for one that nobody has. */
  idIn(text: Uint8Array, from: number, to: number, hash: number): number {
    return this.#ids.idIn(text, from, to, hash)
  }

  /** The ways to say something that begin with a word. */
  waysFrom(id: number): readonly Way[] {
    return this.#begins[id] === 1 ? (this.#ways.get(id) ?? NO_WAYS) : NO_WAYS
  }

  /** The number of a word; it gets one when it has none. */
  learn(word: string): number {
    const known = this.#ids.idOf(word)
    if (known >= 0) return known
    const id = this.#give(word)
    this.#order.add(id)
    return id
  }

  /** The same while a register is filled: words that are met can be asked for by a prefix once they are arranged. */
  meet(word: string): number {
    const known = this.#ids.idOf(word)
    return known >= 0 ? known : this.#give(word)
  }

  /** Puts all words that were met in their order, when none was learnt. */
  async arrange(yieldToEventLoop: () => Promise<unknown>): Promise<void> {
    const byText = (a: number, b: number): number => (this.textOf(a) < this.textOf(b) ? -1 : 1)
    const ids = await sorted([...this.#texts.keys()], byText, yieldToEventLoop)
    for (const [index, id] of ids.entries()) {
      if (index % BETWEEN_YIELDS === 0) await yieldToEventLoop()
      this.#order.append(id)
    }
  }

  /** Gives back the number of a word that no document has any more. */
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
   * @param most undefined is answered when there are more: to gather them would take longer than to look at documents
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

  /** The numbers of the words that have the stem of a word, its own among them. */
  withStemOf(word: string): readonly number[] {
    const ids = this.#byStem.get(stemOf(word))
    return ids === undefined ? [] : typeof ids === 'number' ? [ids] : ids
  }

  /** The numbers of the words that a mistyped one may stand for: the nearest, in the order of their texts. */
  near(word: string): readonly number[] {
    const near = this.#spelling.near(word)
    // `recpie` is two letters away from `recipes`: a plural may be mistyped in its singular.
    const known = near.length > 0 || word.length < LETTERS_OF_SINGULAR ? near : this.#spelling.near(`${word}s`)
    const ids = known.map(({ id }) => id)
    return ids.sort((a, b) => (this.textOf(a) < this.textOf(b) ? -1 : 1))
  }

  /** The numbers of the words with the stem of a known one. */
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

  /** The word that has a number. */
  textOf(id: number): string {
    const text = this.#texts[id]
    if (text === undefined) throw new RangeError(`No word has the number ${id}`)
    return text
  }
}
