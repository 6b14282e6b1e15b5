import { END } from './ordered.ts'
import { type Positioned, Positions } from './positions.ts'
import { sorted } from './sorting.ts'

interface Word extends Positioned {
  readonly id: number
  readonly text: string
}

const byText = (a: Word, b: Word): number => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0)

/** The words that listings have, each under a number, and those that begin alike side by side. */
export class Vocabulary {
  readonly #words = new Map<string, Word>()
  readonly #positions = new Positions<Word>(byText, { leave: () => {}, enter: () => {} })
  readonly #byId: Word[] = []
  readonly #free: number[] = []

  get size(): number {
    return this.#words.size
  }

  /** Numbers lie below it. */
  get bound(): number {
    return this.#byId.length
  }

  idOf(word: string): number | undefined {
    return this.#words.get(word)?.id
  }

  /** The number of a word; it gets one when it has none. */
  learn(text: string): number {
    const known = this.#words.get(text)
    if (known) return known.id
    const word = this.#meet(text)
    this.#positions.add(word)
    return word.id
  }

  /** The same while a register is filled: words that are met can be asked for by a prefix once they are arranged. */
  meet(text: string): number {
    return (this.#words.get(text) ?? this.#meet(text)).id
  }

  /** Puts all words that were met in their order, when none was learnt. */
  async arrange(breathe: () => Promise<unknown>): Promise<void> {
    await this.#positions.fill(await sorted([...this.#words.values()], byText, breathe), breathe)
  }

  /** Gives back the number of a word that no listing has any more. */
  forget(id: number): void {
    const word = this.#byId[id]
    if (!word) return
    this.#positions.remove(word)
    this.#words.delete(word.text)
    this.#free.push(id)
  }

  /** The numbers of the words that begin with a prefix. */
  startingWith(prefix: string): number[] {
    const ids: number[] = []
    const walk = this.#positions.order.walk(this.#positions.first(({ text }) => text < prefix))
    for (; walk.item !== END; walk.advance()) {
      const { text, id } = this.#positions.at(walk.item)
      if (!text.startsWith(prefix)) break
      ids.push(id)
    }
    return ids
  }

  #meet(text: string): Word {
    const id = this.#free.pop() ?? this.#byId.length
    const word = { id, text, position: END }
    this.#words.set(text, word)
    this.#byId[id] = word
    return word
  }
}
