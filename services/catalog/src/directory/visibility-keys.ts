import { NumbersBySlot } from './numbers-by-slot.ts'

/** Later than any time. */
export const ALWAYS = Number.POSITIVE_INFINITY
/** Not a time. */
export const UNKNOWN = -1

interface Seen {
  readonly okAtMs: number
  readonly isVouchedFor: boolean
  readonly posting: object | undefined
}

/**
 * One number per listing, by slot, that nearly always decides whether it is shown: a query checks hundreds of listings,
 * and shows twenty.
 */
export class VisibilityKeys {
  readonly #keys = new NumbersBySlot()

  /** When a listing was last up, 0 for never; `ALWAYS` if it is vouched for; `UNKNOWN` if it must be read, as postings. */
  at(slot: number): number {
    return this.#keys.at(slot) ?? UNKNOWN
  }

  set(slot: number, { okAtMs, isVouchedFor, posting }: Seen): void {
    this.#keys.set(slot, posting ? UNKNOWN : isVouchedFor ? ALWAYS : okAtMs)
  }
}
