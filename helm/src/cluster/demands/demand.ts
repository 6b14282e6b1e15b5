import type { Kind } from '../kinds.ts'
import type { Place } from '../release.ts'

/** What a demand works with. */
export interface World extends Place {
  readonly kinds: readonly Kind[]
}

/** One requirement of the chart on a cluster. */
export interface Demand {
  readonly name: string
  /**
   * Checks it.
   * @returns what was observed, in a few words
   * @throws Error that says what was observed instead
   */
  readonly hold: () => Promise<string>
}

/** Demands that belong together, in order; if one fails, the rest of its group is skipped. */
export interface Group {
  readonly name: string
  readonly demands: readonly Demand[]
  /** Ends everything that its demands started. */
  readonly end?: () => Promise<void>
}

/** @throws Error listing everything that is wrong */
export function demandNothing(wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error(wrong.join('; '))
}
