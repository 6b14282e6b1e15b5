import type { Integers } from './integers.ts'
import { firstIn, firstNear } from './searching.ts'

/** Reads numbers in ascending order. */
export interface Walk {
  /** The current number; END after the last one. */
  readonly item: number
  advance(): void
  /** Moves on to the first number that is not below `item`; stays if it is already there or past it. */
  seek(item: number): void
}

/** Greater than any number that is held, so that comparisons need no special case for it. */
export const END = 2 ** 31 - 1

/** Walks through at most one number. */
export class SingleWalk implements Walk {
  item: number

  constructor(item: number) {
    this.item = item
  }

  advance(): void {
    this.item = END
  }

  seek(item: number): void {
    if (this.item < item) this.item = END
  }
}

const NOTHING = new Int32Array(0)

/** Walks through numbers that are held in blocks. */
export class BlockWalk implements Walk {
  readonly #blocks: readonly Integers[]
  readonly #lasts: Integers
  #at: number
  #items: Int32Array = NOTHING
  #length = 0
  #index = 0
  item = END

  /**
   * @param lasts the last number of each block
   * @param from the walk begins at the first number that is not below it
   */
  constructor(blocks: readonly Integers[], lasts: Integers, from: number) {
    this.#blocks = blocks
    this.#lasts = lasts
    this.#at = firstIn(lasts.items, 0, lasts.length, from)
    this.#enter()
    this.#stand(firstIn(this.#items, 0, this.#length, from))
  }

  advance(): void {
    if (this.#index + 1 < this.#length) {
      this.#stand(this.#index + 1)
    } else {
      this.#at += 1
      this.#enter()
      this.#stand(0)
    }
  }

  seek(item: number): void {
    if (this.item >= item) return
    if ((this.#items[this.#length - 1] ?? END) < item) {
      this.#at = firstNear(this.#lasts.items, this.#at, this.#lasts.length, item)
      this.#enter()
    }
    this.#stand(firstNear(this.#items, this.#index, this.#length, item))
  }

  #enter(): void {
    const block = this.#blocks[this.#at]
    this.#items = block?.items ?? NOTHING
    this.#length = block?.length ?? 0
    this.#index = 0
  }

  #stand(index: number): void {
    this.#index = index
    this.item = index < this.#length ? (this.#items[index] ?? END) : END
  }
}
