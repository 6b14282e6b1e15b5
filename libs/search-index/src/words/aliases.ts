import { wordsOf } from './words.ts'

/** An occurrence of one way to say something in a row of words. */
export interface Said {
  /** The label that all ways to say it share. */
  readonly label: string
  readonly from: number
  readonly to: number
}

/** Labels of this kind are not words: no text has the character that they begin with. */
const labelOf = (group: number): string => `\u0001${group}`

/** One way to say something. */
export interface Way {
  readonly words: readonly string[]
  readonly label: string
}

/** Several ways to say one thing (`btc` and `bitcoin`): a text with one of them is found by the others. */
export class Aliases {
  readonly #byFirst = new Map<string, Way[]>()

  /** @param groups each the ways to say one thing, as one word or several */
  constructor(groups: readonly (readonly string[])[]) {
    for (const [group, ways] of groups.entries()) {
      for (const way of ways) {
        const words = wordsOf(way)
        const [first] = words
        if (first === undefined) continue
        const known = this.#byFirst.get(first) ?? []
        this.#byFirst.set(first, [...known, { words, label: labelOf(group) }])
      }
    }
  }

  /** The ways that begin with a word. */
  from(first: string): readonly Way[] {
    return this.#byFirst.get(first) ?? NO_WAYS
  }

  /** The ways that occur in some words. */
  in(words: readonly string[]): readonly Said[] {
    let found: Said[] | undefined
    for (let from = 0; from < words.length; from += 1) {
      const ways = this.#byFirst.get(words[from] ?? '')
      if (!ways) continue
      for (const { words: way, label } of ways) {
        if (!way.every((one, index) => words[from + index] === one)) continue
        found ??= []
        found.push({ label, from, to: from + way.length })
      }
    }
    return found ?? NOTHING
  }
}

const NOTHING: readonly Said[] = []
const NO_WAYS: readonly Way[] = []

export const NO_ALIASES: Aliases = new Aliases([])
