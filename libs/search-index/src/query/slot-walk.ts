import type { Ordered } from '../numbers/ordered.ts'
import { union } from '../numbers/union.ts'
import { END, type Walk } from '../numbers/walk.ts'
import type { Slot } from './slots.ts'

interface WaysWalk {
  readonly names: Walk
  readonly texts: Walk
  readonly inName: number
  readonly inText: number
}

const sizeOf = (lists: readonly Ordered[]): number => lists.reduce((sum, { size }) => sum + size, 0)

/** Walks through the documents that have a word of a query, in any form. */
export class SlotWalk {
  /** The most points that a document can get for the word. */
  readonly inName: number
  /** The most points that a document can get whose name does not have it. */
  readonly inText: number
  readonly namesSize: number
  readonly textsSize: number
  readonly #ways: readonly WaysWalk[]

  constructor({ ways }: Slot, start: number) {
    this.#ways = ways.map(({ names, texts, inName, inText }) => ({
      names: union(names.map((list) => list.walk(start))),
      texts: union(texts.map((list) => list.walk(start))),
      inName,
      inText,
    }))
    this.inName = Math.max(...ways.map(({ inName }) => inName))
    this.inText = Math.max(...ways.map(({ inText }) => inText))
    this.namesSize = ways.reduce((sum, { names }) => sum + sizeOf(names), 0)
    this.textsSize = ways.reduce((sum, { texts }) => sum + sizeOf(texts), 0)
  }

  /** The points of the document at a position; positions must not go backwards between calls. */
  pointsAt(position: number): number {
    let points = 0
    for (const ways of this.#ways) {
      if (ways.inName <= points) break
      const { texts, names } = ways
      if (texts.item < position) texts.seek(position)
      if (texts.item !== position) continue
      if (names.item < position) names.seek(position)
      const here = names.item === position ? ways.inName : ways.inText
      if (here > points) points = here
    }
    return points
  }

  /** The next position that has the word, after `pointsAt` last returned no points. */
  next(): number {
    let next = END
    for (const { texts } of this.#ways) if (texts.item < next) next = texts.item
    return next
  }

  /** The walks that together meet every document that has the word, in its name or anywhere. */
  walks(part: 'names' | 'texts'): Walk[] {
    return this.#ways.map((ways) => ways[part])
  }
}
