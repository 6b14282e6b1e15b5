import { setImmediate as nextTurn } from 'node:timers/promises'

/** The longest time to work without yielding. */
const LONGEST_MS = 5

/**
 * Splits long work into turns, so that other work waiting in this process, such as the commit of the previous range and
 * other services' requests, gets to run in between. Call it wherever the work can pause.
 */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async () => {
    await nextTurn()
    since = performance.now()
  }
  return () => (performance.now() - since > LONGEST_MS ? rest() : undefined)
}
