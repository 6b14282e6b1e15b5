import { Integers } from './integers.ts'
import { firstIn, firstOf } from './searching.ts'
import { BlockWalk, END, SingleWalk, type Walk } from './walk.ts'

const MAX_BLOCK = 512
const FULL_BLOCK = 384
const SMALL_BLOCK = 96

const NO_BLOCKS: Integers[] = []
const NO_LASTS = new Integers(0)

/**
 * Distinct whole numbers from 0 up to END in ascending order. They are in blocks, so that an insertion or removal moves
 * few others. A single number needs no block: most words are in one document only.
 */
export class Ordered implements Iterable<number> {
  #blocks = NO_BLOCKS
  /** The last number of each block, so that finding a block touches no block; empty if there is only one. */
  #lasts = NO_LASTS
  /** The only number while there are no blocks; END if there is none. */
  #only = END
  #size = 0

  /** @param items ascending, each once */
  static of(items: Int32Array): Ordered {
    const ordered = new Ordered()
    ordered.#size = items.length
    if (items.length === 1) ordered.#only = items[0] ?? END
    if (items.length < 2) return ordered
    ordered.#blocks = []
    for (let at = 0; at < items.length; at += FULL_BLOCK) {
      ordered.#blocks.push(Integers.of(items.subarray(at, at + FULL_BLOCK)))
    }
    if (ordered.#blocks.length > 1) {
      ordered.#lasts = new Integers(ordered.#blocks.length)
      for (const { last } of ordered.#blocks) ordered.#lasts.push(last ?? END)
    }
    return ordered
  }

  get size(): number {
    return this.#size
  }

  /** Adds a number that is not yet in. */
  add(item: number): void {
    this.#size += 1
    if (this.#size === 1) {
      this.#only = item
      return
    }
    if (this.#blocks === NO_BLOCKS) this.#open()
    const at = Math.min(this.#find(item), this.#blocks.length - 1)
    const block = this.#block(at)
    block.insert(firstIn(block.items, 0, block.length, item), item)
    if (block.length > MAX_BLOCK) this.#enter(at + 1, block.cut(MAX_BLOCK / 2))
    this.#note(at, block)
  }

  /** Adds a number above all others; does nothing if it is already the last. */
  append(item: number): void {
    if (this.#last === item) return
    this.#size += 1
    if (this.#size === 1) {
      this.#only = item
      return
    }
    if (this.#blocks === NO_BLOCKS) this.#open()
    const at = this.#blocks.length - 1
    const last = this.#block(at)
    if (last.length < FULL_BLOCK) {
      last.push(item)
      this.#note(at, last)
    } else {
      const next = new Integers(FULL_BLOCK)
      next.push(item)
      this.#enter(at + 1, next)
    }
  }

  /** Removes a number that is in. */
  remove(item: number): void {
    if (this.#blocks === NO_BLOCKS) {
      if (this.#only !== item) throw new Error(`${item} is not in`)
      this.#only = END
    } else {
      this.#take(item)
    }
    this.#size -= 1
    if (this.#size === 0) {
      this.#blocks = NO_BLOCKS
      this.#lasts = NO_LASTS
    }
  }

  /** The greatest number below a given one; -1 if there is none. */
  before(item: number): number {
    if (this.#blocks === NO_BLOCKS) return this.#only < item ? this.#only : -1
    const at = this.#find(item)
    const block = this.#blocks[at]
    const index = block ? firstIn(block.items, 0, block.length, item) : 0
    return (index > 0 ? block?.at(index - 1) : this.#blocks[at - 1]?.last) ?? -1
  }

  /** Walks from the first number that is not below `from`; by default from the start. */
  walk(from = 0): Walk {
    if (this.#blocks === NO_BLOCKS) return new SingleWalk(this.#only < from ? END : this.#only)
    return new BlockWalk(this.#blocks, this.#lasts, from)
  }

  /** The first number for which `holds` is true; it must be true for all numbers above it too. END if there is none. */
  first(holds: (item: number) => boolean): number {
    if (this.#blocks === NO_BLOCKS) return this.#size > 0 && holds(this.#only) ? this.#only : END
    const block = this.#blocks[firstOf(this.#lasts.items, this.#lasts.length, holds)]
    return block?.at(firstOf(block.items, block.length, holds)) ?? END
  }

  *[Symbol.iterator](): Generator<number> {
    for (const walk = this.walk(); walk.item !== END; walk.advance()) yield walk.item
  }

  get #last(): number | undefined {
    return this.#blocks === NO_BLOCKS ? this.#only : this.#blocks.at(-1)?.last
  }

  #block(at: number): Integers {
    const block = this.#blocks[at]
    if (!block) throw new RangeError(`There is no block ${at}`)
    return block
  }

  /** The only block, or the first that does not end below a number. */
  #find(item: number): number {
    return firstIn(this.#lasts.items, 0, this.#lasts.length, item)
  }

  /** Turns the only number into a block. */
  #open(): void {
    const block = new Integers()
    block.push(this.#only)
    this.#blocks = [block]
    this.#only = END
  }

  /** Inserts a block at an index. */
  #enter(at: number, block: Integers): void {
    this.#blocks.splice(at, 0, block)
    if (this.#lasts === NO_LASTS) {
      this.#lasts = new Integers()
      for (const { last } of this.#blocks) this.#lasts.push(last ?? END)
    } else {
      this.#lasts.insert(at, block.last ?? END)
    }
  }

  #leave(at: number): void {
    this.#blocks.splice(at, 1)
    if (this.#blocks.length < 2) this.#lasts = NO_LASTS
    else this.#lasts.remove(at)
  }

  /** Notes the last number of a block, which may have changed. */
  #note(at: number, block: Integers): void {
    if (this.#lasts !== NO_LASTS) this.#lasts.set(at, block.last ?? END)
  }

  #take(item: number): void {
    const at = this.#find(item)
    const block = this.#blocks[at]
    const index = block ? firstIn(block.items, 0, block.length, item) : 0
    if (block?.at(index) !== item) throw new Error(`${item} is not in`)
    block.remove(index)
    const next = this.#blocks[at + 1]
    if (block.length < SMALL_BLOCK && next && block.length + next.length <= FULL_BLOCK) {
      block.join(next)
      this.#leave(at + 1)
    } else if (block.length === 0 && this.#blocks.length > 1) {
      this.#leave(at)
      return
    }
    this.#note(at, block)
  }
}
