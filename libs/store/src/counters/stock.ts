import { gcra, type Rate, type RateVerdict } from './counters.ts'

/** How long a unit may be used after it was taken: a rate is exact to what it refills in this time. */
const USABLE_MS = 1_000

/**
 * Units of one key's rate that this process took ahead and has not used yet. At most what the rate refills in a second
 * is taken ahead, so nothing of a rate that refills slower than one a second.
 * Times are milliseconds of one clock that never goes back.
 */
export class Stock {
  readonly #rate: Rate
  readonly #most: number
  #left = 0
  #takenAt = Number.NEGATIVE_INFINITY
  /** How far the key's arrival time was ahead of `#takenAt`. */
  #lead = 0
  #countedFrom = Number.NEGATIVE_INFINITY
  #used = 0
  #usedBefore = 0

  constructor(rate: Rate) {
    this.#rate = rate
    this.#most = Math.floor((rate.perMinute / 60_000) * USABLE_MS)
  }

  /** Uses units; a negative number returns an excess. @returns undefined when the rate itself has to be asked */
  use(cost: number, now: number): RateVerdict | undefined {
    this.#count(cost, now)
    const left = this.#left - cost
    if (left < 0 || left > this.#most || now - this.#takenAt >= USABLE_MS) return undefined
    this.#left = left
    return gcra(this.#rate, now, this.#takenAt + this.#lead - (left * 60_000) / this.#rate.perMinute, 0).verdict
  }

  /**
   * Removes what is left, to be returned before a take of `cost`. What the rate has refilled since it was taken is not
   * returned: it would be given out twice, and once by each process that took some.
   * @returns it, and how many units to take ahead
   */
  empty(cost: number, now: number): { readonly left: number; readonly ahead: number } {
    const leadMs = Math.max(0, this.#takenAt + this.#lead - now)
    const left = Math.min(this.#left, (leadMs * this.#rate.perMinute) / 60_000)
    this.#left = 0
    return { left, ahead: Math.min(this.#most, Math.max(this.#used - Math.max(0, cost), this.#usedBefore)) }
  }

  /** @param units may be 0 @param lead how far the key's arrival time is ahead of now, in milliseconds */
  fill(units: number, lead: number, now: number): void {
    this.#left += units
    this.#lead = lead
    this.#takenAt = now
  }

  #count(cost: number, now: number): void {
    const age = now - this.#countedFrom
    if (age >= USABLE_MS) {
      this.#usedBefore = age < 2 * USABLE_MS ? this.#used : 0
      this.#used = 0
      this.#countedFrom = now
    }
    this.#used += Math.max(0, cost)
  }
}
