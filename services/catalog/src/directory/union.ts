import { type Compare, END, type Walk } from './ordered.ts'

/** Walks through several orders as one; what stands in more than one is met once. */
export function union(walks: readonly Walk[], compare: Compare): Walk {
  const going = walks.filter(({ item }) => item !== END)
  const [first, ...more] = going
  return first && more.length === 0 ? first : new Union(going, compare)
}

/** A heap with the walk whose item comes first at its top. */
class Union implements Walk {
  readonly #heap: Walk[]
  readonly #compare: Compare

  constructor(walks: Walk[], compare: Compare) {
    this.#heap = walks
    this.#compare = compare
    for (let at = (walks.length >>> 1) - 1; at >= 0; at -= 1) this.#sink(at)
  }

  get item(): number {
    return this.#heap[0]?.item ?? END
  }

  advance(): void {
    const { item } = this
    for (let top = this.#heap[0]; top && top.item === item; top = this.#heap[0]) {
      top.advance()
      if (top.item === END) this.#drop()
      this.#sink(0)
    }
  }

  seek(item: number): void {
    for (let top = this.#heap[0]; top && this.#compare(top.item, item) < 0; top = this.#heap[0]) {
      top.seek(item)
      if (top.item === END) this.#drop()
      this.#sink(0)
    }
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
      if (right && this.#compare(right.item, lower.item) < 0) {
        child += 1
        lower = right
      }
      if (this.#compare(sinking.item, lower.item) <= 0) break
      heap[at] = lower
      at = child
    }
    heap[at] = sinking
  }
}
