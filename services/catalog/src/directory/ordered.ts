/** Reads numbers in ascending order. */
export interface Walk {
  /** The number it stands at; END behind the last one. */
  readonly item: number
  advance(): void
  /** Goes on to the first number that is not below another; stays where it is when that lies behind. */
  seek(item: number): void
}

/** More than any number that is held, so that comparing needs no case of its own for it. */
export const END = 2 ** 31 - 1

const MAX_BLOCK = 512
const FULL_BLOCK = 384
const SMALL_BLOCK = 96

/**
 * Different whole numbers from 0 up to END in ascending order. They lie in blocks, so that putting one in or taking one
 * out moves few others; all of them are small integers to V8, which makes comparing them as cheap as it can be.
 */
export class Ordered implements Iterable<number> {
  #blocks: number[][] = []
  /** The last number of each block, side by side, so that finding a block does not touch others. */
  #lasts: number[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Puts in a number that is not in. */
  add(item: number): void {
    const at = Math.min(firstIn(this.#lasts, 0, this.#lasts.length, item), this.#blocks.length - 1)
    const block = this.#blocks[at]
    if (!block) {
      this.append(item)
      return
    }
    this.#size += 1
    block.splice(firstIn(block, 0, block.length, item), 0, item)
    this.#lasts[at] = block.at(-1) ?? END
    if (block.length > MAX_BLOCK) this.#split(at, block)
  }

  /** Puts in a number above all others; one that is already the last stays. */
  append(item: number): void {
    const at = this.#lasts.length - 1
    if (this.#lasts[at] === item) return
    const last = this.#blocks[at]
    if (last && last.length < FULL_BLOCK) {
      last.push(item)
      this.#lasts[at] = item
    } else if (last) {
      this.#blocks.push([item])
      this.#lasts.push(item)
    } else {
      // Most words are of one listing: arrays that are written out take no room for more, pushing would make some.
      this.#blocks = [[item]]
      this.#lasts = [item]
    }
    this.#size += 1
  }

  /** Takes out a number that is in. */
  remove(item: number): void {
    const at = firstIn(this.#lasts, 0, this.#lasts.length, item)
    const block = this.#blocks[at]
    const index = block ? firstIn(block, 0, block.length, item) : 0
    if (block?.[index] !== item) throw new Error(`${item} is not in`)
    block.splice(index, 1)
    this.#size -= 1
    if (block.length < SMALL_BLOCK) this.#join(at, block)
    else this.#lasts[at] = block.at(-1) ?? END
  }

  /** The greatest number below another; -1 when there is none. */
  before(item: number): number {
    const at = firstIn(this.#lasts, 0, this.#lasts.length, item)
    const block = this.#blocks[at] ?? []
    return block[firstIn(block, 0, block.length, item) - 1] ?? this.#lasts[at - 1] ?? -1
  }

  /** Walks from the first number that is not below another; without one from the first of all. */
  walk(from = 0): Walk {
    const at = firstIn(this.#lasts, 0, this.#lasts.length, from)
    const block = this.#blocks[at]
    return new BlockWalk(this.#blocks, this.#lasts, at, block ? firstIn(block, 0, block.length, from) : 0)
  }

  /** The first number of which something holds that holds of all above it too; END when there is none. */
  first(holds: (item: number) => boolean): number {
    const block = this.#blocks[firstOf(this.#lasts, holds)] ?? []
    return block[firstOf(block, holds)] ?? END
  }

  *[Symbol.iterator](): Generator<number> {
    for (const block of this.#blocks) yield* block
  }

  #split(at: number, block: number[]): void {
    const upper = block.splice(MAX_BLOCK / 2)
    this.#blocks.splice(at + 1, 0, upper)
    this.#lasts.splice(at, 1, block.at(-1) ?? END, upper.at(-1) ?? END)
  }

  /** Makes one of a small block and the next, if both fit; an empty one goes. */
  #join(at: number, block: number[]): void {
    const next = this.#blocks[at + 1]
    if (next && block.length + next.length <= FULL_BLOCK) {
      this.#blocks.splice(at, 2, [...block, ...next])
      this.#lasts.splice(at, 1)
    } else if (block.length === 0) {
      this.#blocks.splice(at, 1)
      this.#lasts.splice(at, 1)
    } else {
      this.#lasts[at] = block.at(-1) ?? END
    }
  }
}

/** The first index between two whose number is not below another. */
function firstIn(items: readonly number[], from: number, to: number, item: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] ?? END) < item) low = middle + 1
    else high = middle
  }
  return low
}

/** The first index whose number something holds of. */
function firstOf(items: readonly number[], holds: (item: number) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(items[middle] ?? END)) high = middle
    else low = middle + 1
  }
  return low
}

/** The same from an index on, for what is mostly near: steps that double come to it sooner than halving everything. */
function firstNear(items: readonly number[], from: number, item: number): number {
  let low = from
  let step = 1
  while (low + step < items.length && (items[low + step] ?? END) < item) {
    low += step
    step *= 2
  }
  return firstIn(items, low, Math.min(items.length, low + step + 1), item)
}

class BlockWalk implements Walk {
  readonly #blocks: readonly (readonly number[])[]
  readonly #lasts: readonly number[]
  #at: number
  #block: readonly number[]
  #index: number
  item: number

  constructor(blocks: readonly (readonly number[])[], lasts: readonly number[], at: number, index: number) {
    this.#blocks = blocks
    this.#lasts = lasts
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
    if (this.item >= item) return
    if ((this.#lasts[this.#at] ?? END) < item) this.#enter(firstNear(this.#lasts, this.#at, item))
    this.#index = firstNear(this.#block, this.#index, item)
    this.item = this.#block[this.#index] ?? END
  }

  #enter(at: number): void {
    this.#at = at
    this.#block = this.#blocks[at] ?? []
    this.#index = 0
  }
}
