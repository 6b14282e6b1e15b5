import type { Answer } from './answer.ts'
import type { Trouble } from './trouble.ts'

/** The tokens of a call. The three kinds of input are disjoint; their sum is the prompt. */
export interface Usage {
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

/** Two of these, minus one, are the greatest integer that JSON can carry safely. */
const HUGE = 2 ** 52

/**
 * The usage that a call reports.
 * @param input the tokens of the prompt
 * @returns undefined when the trouble is a missing report
 */
export function usageOf(input: number, answers: readonly Answer[], trouble: Trouble | undefined): Usage | undefined {
  const output = answers.reduce((sum, { tokens }) => sum + tokens, 0)
  const uncached = { cacheRead: 0, cacheWrite: 0 }
  switch (trouble) {
    case 'no-usage':
      return undefined
    case 'usage-negative':
      return { fresh: -input, ...uncached, output: -output }
    case 'usage-huge':
      return { fresh: HUGE, ...uncached, output: HUGE - 1 }
    case 'cached': {
      const cacheRead = Math.floor(input / 2)
      const cacheWrite = Math.floor(input / 4)
      return { fresh: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output }
    }
    default:
      return { fresh: input, ...uncached, output }
  }
}

/** The tokens of the prompt, cached or not. */
export const inputOf = ({ fresh, cacheRead, cacheWrite }: Usage): number => fresh + cacheRead + cacheWrite
