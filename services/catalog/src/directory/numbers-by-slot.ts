const LEAST = 1_024

/** One number per listing, by slot, so that a query reads it without the listing. */
export class NumbersBySlot {
  #numbers = new Float64Array(LEAST)

  /** Undefined beyond the slots that were ever set. */
  at(slot: number): number | undefined {
    return this.#numbers[slot]
  }

  set(slot: number, number: number): void {
    if (slot >= this.#numbers.length) {
      const grown = new Float64Array(2 * slot)
      grown.set(this.#numbers)
      this.#numbers = grown
    }
    this.#numbers[slot] = number
  }
}
