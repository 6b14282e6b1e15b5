/** Less than 0: the first comes before the second. Never 0 for two different items. */
export type Compare = (a: number, b: number) => number

/** How an item lies to a place: less than 0 before it, else not. */
export type CompareToPlace = (item: number) => number

/** Reads items in their order. */
export interface Walk {
  /** The item it stands at; -1 behind the last one. */
  readonly item: number
  advance(): void
  /** Goes on to the first item that does not come before another; stays where it is when that lies behind. */
  seek(item: number): void
}

export const END = -1

const MAX_BLOCK = 512
const FULL_BLOCK = 384
const SMALL_BLOCK = 96

/**
 * Whole numbers from 0 on in the order of a comparison. They lie in blocks, so that putting one in or taking one out
 * moves few others. A comparison may depend on facts outside: change those of an item only while it is out.
 */
export class Ordered implements Iterable<number> {
  readonly #compare: Compare
  readonly #blocks: number[][] = []
  #size = 0

  constructor(compare: Compare) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  /** Puts in an item that is not in. */
  add(item: number): void {
    const at = Math.min(firstBlock(this.#blocks, 0, this.#compare, item), this.#blocks.length - 1)
    const block = this.#blocks[at]
    this.#size += 1
    if (!block) {
      this.#blocks.push([item])
      return
    }
    block.splice(firstIn(block, 0, block.length, this.#compare, item), 0, item)
    if (block.length > MAX_BLOCK) this.#blocks.splice(at + 1, 0, block.splice(MAX_BLOCK / 2))
  }

  /** Puts in an item that comes after all others. */
  append(item: number): void {
    const last = this.#blocks.at(-1)
    if (last && last.length < FULL_BLOCK) last.push(item)
    else this.#blocks.push([item])
    this.#size += 1
  }

  /** Takes out an item that is in. */
  remove(item: number): void {
    const at = firstBlock(this.#blocks, 0, this.#compare, item)
    const block = this.#blocks[at]
    const index = block ? firstIn(block, 0, block.length, this.#compare, item) : 0
    if (block?.[index] !== item) throw new Error(`Item ${item} is not where its order says`)
    block.splice(index, 1)
    this.#size -= 1
    if (block.length < SMALL_BLOCK) this.#join(at, block)
  }

  /** Walks from the first item that does not come before a place; without one from the first of all. */
  walk(toPlace?: CompareToPlace): Walk {
    if (!toPlace) return new BlockWalk(this.#blocks, this.#compare, 0, 0)
    const at = firstBlock(this.#blocks, 0, toPlace, END)
    const block = this.#blocks[at]
    return new BlockWalk(this.#blocks, this.#compare, at, block ? firstIn(block, 0, block.length, toPlace, END) : 0)
  }

  *[Symbol.iterator](): Generator<number> {
    for (const block of this.#blocks) yield* block
  }

  /** Makes one of a small block and the next, if both fit; an empty one goes. */
  #join(at: number, block: number[]): void {
    const next = this.#blocks[at + 1]
    if (next && block.length + next.length <= FULL_BLOCK) {
      this.#blocks.splice(at, 2, [...block, ...next])
    } else if (block.length === 0) {
      this.#blocks.splice(at, 1)
    }
  }
}

/** The first block from `low` on whose last item does not come before an item. */
function firstBlock(blocks: readonly (readonly number[])[], low: number, compare: Compare, item: number): number {
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(blocks[middle]?.at(-1) ?? END, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The first index between two whose item does not come before an item. */
function firstIn(block: readonly number[], low: number, high: number, compare: Compare, item: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(block[middle] ?? END, item) < 0) low = middle + 1
    else high = middle
  }
  return low
}

class BlockWalk implements Walk {
  readonly #blocks: readonly (readonly number[])[]
  readonly #compare: Compare
  #at: number
  #block: readonly number[]
  #index: number
  item: number

  constructor(blocks: readonly (readonly number[])[], compare: Compare, at: number, index: number) {
    this.#blocks = blocks
    this.#compare = compare
    this.#at = at
    this.#block = blocks[at] ?? []
    this.#index = index
    this.item = this.#block[index] ?? END
  }

  advance(): void {
    this.#index += 1
    if (this.#index >= this.#block.length) this.#enter(this.#at + 1)
    this.item = this.#block[this.#index] ?? END
  }

  seek(item: number): void {
    const compare = this.#compare
    if (this.item === END || compare(this.item, item) >= 0) return
    if (compare(this.#block.at(-1) ?? END, item) < 0) this.#enter(firstBlock(this.#blocks, this.#at + 1, compare, item))
    // What is sought is mostly near: steps that double come to it sooner than halving the whole block.
    const block = this.#block
    let low = this.#index
    let step = 1
    while (low + step < block.length && compare(block[low + step] ?? END, item) < 0) {
      low += step
      step *= 2
    }
    this.#index = firstIn(block, low, Math.min(block.length, low + step + 1), compare, item)
    this.item = block[this.#index] ?? END
  }

  #enter(at: number): void {
    this.#at = at
    this.#block = this.#blocks[at] ?? []
    this.#index = 0
  }
}
