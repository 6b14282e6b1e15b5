/** Later than any time. */
export const ALWAYS = Number.POSITIVE_INFINITY
/** Not a time. */
export const LOOK = -1

interface Seen {
  readonly okAtMs: number
  readonly isVouchedFor: boolean
  readonly posting: object | undefined
}

const LEAST = 1_024

/**
 * One number per listing, by slot, that nearly always decides whether it is shown: a query checks hundreds of listings,
 * and shows twenty.
 */
export class Sights {
  #sights = new Float64Array(LEAST)

  /** When a listing was last up, 0 for never; `ALWAYS` if it is vouched for; `LOOK` if it must be read, as postings. */
  at(slot: number): number {
    return this.#sights[slot] ?? LOOK
  }

  set(slot: number, { okAtMs, isVouchedFor, posting }: Seen): void {
    if (slot >= this.#sights.length) {
      const grown = new Float64Array(2 * slot)
      grown.set(this.#sights)
      this.#sights = grown
    }
    this.#sights[slot] = posting ? LOOK : isVouchedFor ? ALWAYS : okAtMs
  }
}
