import type { Ordered } from './ordered.ts'
import { firstIn } from './searching.ts'
import { END, type Walk } from './walk.ts'

/** Walks through many short lists as one, by collecting and sorting their items first. */
export class GatheredWalk implements Walk {
  readonly #items: Int32Array
  #index = 0
  item = END

  constructor(lists: readonly Ordered[]) {
    const items: number[] = []
    for (const list of lists) for (const item of list) items.push(item)
    this.#items = Int32Array.from(new Set(items)).sort()
    this.#stand(0)
  }

  advance(): void {
    this.#stand(this.#index + 1)
  }

  seek(item: number): void {
    if (this.item < item) this.#stand(firstIn(this.#items, this.#index, this.#items.length, item))
  }

  #stand(index: number): void {
    this.#index = index
    this.item = this.#items[index] ?? END
  }
}
