import { END, type Walk } from './walk.ts'

/** Walks through the items that all walks have in common. The shortest comes first; there is at least one. */
export const intersection = (walks: readonly [Walk, ...Walk[]]): Walk =>
  walks.length === 1 ? walks[0] : new Intersection(walks)

class Intersection implements Walk {
  readonly #first: Walk
  readonly #others: readonly Walk[]
  item: number = END

  constructor([first, ...others]: readonly [Walk, ...Walk[]]) {
    this.#first = first
    this.#others = others
    this.#settle()
  }

  advance(): void {
    this.#first.advance()
    this.#settle()
  }

  seek(item: number): void {
    this.#first.seek(item)
    this.#settle()
  }

  /** Advances until all walks are at the same item. */
  #settle(): void {
    const first = this.#first
    for (let at = 0; first.item !== END && at < this.#others.length; at += 1) {
      const other = this.#others[at]
      if (!other) break
      other.seek(first.item)
      if (other.item === first.item) continue
      if (other.item === END) {
        this.item = END
        return
      }
      first.seek(other.item)
      at = -1
    }
    this.item = first.item
  }
}
