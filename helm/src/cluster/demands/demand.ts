import type { Kind } from '../kinds.ts'
import type { Place } from '../release.ts'

/** What a demand has at hand. */
export interface World extends Place {
  readonly kinds: readonly Kind[]
}

/** One thing that is demanded of the chart on a cluster. */
export interface Demand {
  readonly name: string
  /**
   * Holds it.
   * @returns what was seen, in a few words
   * @throws Error that says what was seen instead
   */
  readonly hold: () => Promise<string>
}

/** What belongs together, in its order; where one is not held, those after it in its group are not asked. */
export interface Group {
  readonly name: string
  readonly demands: readonly Demand[]
  /** Ends what its demands started. */
  readonly end?: () => Promise<void>
}

/** @throws Error with the words of all that is wrong */
export function demandNothing(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}
