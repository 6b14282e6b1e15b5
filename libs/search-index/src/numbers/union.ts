import { END, type Walk } from './walk.ts'

/** Walks through several orders as one; a number that is in more than one is met once. */
export function union(walks: readonly Walk[]): Walk {
  const going = walks.filter(({ item }) => item !== END)
  const [first, ...more] = going
  return first && more.length === 0 ? first : new Union(going)
}

/** A heap; at its top is the walk with the lowest item. */
class Union implements Walk {
  readonly #heap: Walk[]
  item: number = END

  constructor(walks: Walk[]) {
    this.#heap = walks
    for (let at = (walks.length >>> 1) - 1; at >= 0; at -= 1) this.#sink(at)
    this.#settle()
  }

  advance(): void {
    this.seek(this.item + 1)
  }

  seek(item: number): void {
    for (let top = this.#heap[0]; top && top.item < item; top = this.#heap[0]) {
      top.seek(item)
      if (top.item === END) this.#drop()
      this.#sink(0)
    }
    this.#settle()
  }

  #settle(): void {
    this.item = this.#heap[0]?.item ?? END
  }

  #drop(): void {
    const last = this.#heap.pop()
    if (last && this.#heap.length > 0) this.#heap[0] = last
  }

  #sink(from: number): void {
    const heap = this.#heap
    const sinking = heap[from]
    if (!sinking) return
    let at = from
    for (;;) {
      let child = 2 * at + 1
      let lower = heap[child]
      if (!lower) break
      const right = heap[child + 1]
      if (right && right.item < lower.item) {
        child += 1
        lower = right
      }
      if (sinking.item <= lower.item) break
      heap[at] = lower
      at = child
    }
    heap[at] = sinking
  }
}
