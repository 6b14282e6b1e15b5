import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longer than this nothing is worked on in one go. */
const LONGEST_MS = 5

/**
 * Splits long work into turns: what else waits in this process, such as the commit of the range before and the requests
 * of other services beside it, comes to its own in between. To be called wherever the work may stop for a moment.
 */
export function turns(): () => Promise<void> | undefined {
  let since = performance.now()
  const rest = async () => {
    await nextTurn()
    since = performance.now()
  }
  return () => (performance.now() - since > LONGEST_MS ? rest() : undefined)
}
