import { setTimeout as wait } from 'node:timers/promises'

/**
 * Polls until a condition holds.
 * @param what the condition in words, for the error when it never does
 * @returns the first value that is neither undefined nor false
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 15_000,
): Promise<T> {
  const end = performance.now() + withinMs
  let last: unknown
  while (performance.now() < end) {
    try {
      const value = await ask()
      if (value !== undefined && value !== false) return value
    } catch (error) {
      last = error
    }
    await wait(20)
  }
  throw new Error(`It did not come to this within ${withinMs} ms: ${what}`, { cause: last })
}
