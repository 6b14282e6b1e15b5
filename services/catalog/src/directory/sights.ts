/** More than any moment. */
export const ALWAYS = Number.POSITIVE_INFINITY
/** No moment. */
export const LOOK = -1

interface Seen {
  readonly okAtMs: number
  readonly isVouchedFor: boolean
  readonly posting: object | undefined
}

const LEAST = 1_024

/**
 * Of each listing the one number that nearly always says whether it is shown, by slot: a query asks it of hundreds of
 * listings, and shows twenty.
 */
export class Sights {
  #sights = new Float64Array(LEAST)

  /** When a listing was last up, 0 for never; `ALWAYS` where somebody vouches for it; `LOOK` where it has to be looked at, as a posting. */
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
