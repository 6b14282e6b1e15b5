import { Ordered } from './ordered.ts'

const comparedTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The words that listings have, each under a number, and those that begin alike side by side. */
export class Vocabulary {
  readonly #ids = new Map<string, number>()
  readonly #words: string[] = []
  readonly #free: number[] = []
  readonly #sorted = new Ordered((a, b) => comparedTexts(this.#words[a] ?? '', this.#words[b] ?? ''))

  get size(): number {
    return this.#ids.size
  }

  /** Numbers lie below it. */
  get bound(): number {
    return this.#words.length
  }

  idOf(word: string): number | undefined {
    return this.#ids.get(word)
  }

  /** The number of a word; it gets one when it has none. */
  learn(word: string): number {
    const known = this.#ids.get(word)
    if (known !== undefined) return known
    const id = this.#free.pop() ?? this.#words.length
    this.#words[id] = word
    this.#ids.set(word, id)
    this.#sorted.add(id)
    return id
  }

  /** Gives back the number of a word that no listing has any more. */
  forget(id: number): void {
    this.#sorted.remove(id)
    this.#ids.delete(this.#words[id] ?? '')
    this.#words[id] = ''
    this.#free.push(id)
  }

  /** The numbers of the words that begin with a prefix. */
  startingWith(prefix: string): number[] {
    const ids: number[] = []
    const walk = this.#sorted.walk((id) => comparedTexts(this.#words[id] ?? '', prefix))
    for (; this.#words[walk.item]?.startsWith(prefix); walk.advance()) ids.push(walk.item)
    return ids
  }
}
