/** Not a number that can be held. */
const FREE = -1
const LEAST_CELLS = 16
/** 2³² divided by the golden ratio: neighbouring numbers end up far apart. */
const SPREAD = 0x9e3779b1

/**
 * Whole numbers from 0 up to 2³¹, each with a value. All are in one array, so that a lookup touches one place in
 * memory, where a Map touches three.
 * @source Knuth, The Art of Computer Programming 3, 6.4: linear probing, algorithms L and R
 */
export class NumberTable {
  /** Each cell holds a number and its value; at most three quarters of the cells are taken. */
  #cells = empty(LEAST_CELLS)
  #mask = LEAST_CELLS - 1
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns the value of a number; -1 if it is not in the table. */
  get(number: number): number {
    const cells = this.#cells
    for (let cell = this.#firstCell(number); ; cell = (cell + 1) & this.#mask) {
      const here = cells[2 * cell]
      if (here === number) return cells[2 * cell + 1] ?? FREE
      if (here === FREE) return FREE
    }
  }

  /** Adds a number, or changes the value of one that is in the table. */
  set(number: number, value: number): void {
    if (4 * (this.#size + 1) > 3 * (this.#mask + 1)) this.#grow()
    const cell = this.#cellOf(number)
    if (this.#cells[2 * cell] === FREE) this.#size += 1
    this.#cells[2 * cell] = number
    this.#cells[2 * cell + 1] = value
  }

  delete(number: number): void {
    const cells = this.#cells
    let free = this.#cellOf(number)
    if (cells[2 * free] === FREE) return
    this.#size -= 1
    // Entries that were put further back because this cell was taken move closer.
    for (let cell = (free + 1) & this.#mask; cells[2 * cell] !== FREE; cell = (cell + 1) & this.#mask) {
      const first = this.#firstCell(cells[2 * cell] ?? FREE)
      if (((cell - first) & this.#mask) < ((cell - free) & this.#mask)) continue
      cells[2 * free] = cells[2 * cell] ?? FREE
      cells[2 * free + 1] = cells[2 * cell + 1] ?? FREE
      free = cell
    }
    cells[2 * free] = FREE
  }

  /** The cell of a number, or the one it would go into. */
  #cellOf(number: number): number {
    let cell = this.#firstCell(number)
    while (this.#cells[2 * cell] !== number && this.#cells[2 * cell] !== FREE) cell = (cell + 1) & this.#mask
    return cell
  }

  #firstCell(number: number): number {
    const spread = Math.imul(number, SPREAD)
    return (spread ^ (spread >>> 15)) & this.#mask
  }

  #grow(): void {
    const before = this.#cells
    this.#mask = 2 * this.#mask + 1
    this.#cells = empty(this.#mask + 1)
    for (let at = 0; at < before.length; at += 2) {
      const number = before[at] ?? FREE
      if (number === FREE) continue
      const cell = this.#cellOf(number)
      this.#cells[2 * cell] = number
      this.#cells[2 * cell + 1] = before[at + 1] ?? FREE
    }
  }
}

const empty = (cells: number): Int32Array => new Int32Array(2 * cells).fill(FREE)
