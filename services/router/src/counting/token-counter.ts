import { Piscina } from 'piscina'
import type { Counted, CountedCall } from './counting-thread.ts'

/** Calls that may wait to be counted; further ones are refused, to bound the memory that their texts take. */
const MOST_WAITING = 500

/**
 * Counts the words of calls on a thread of its own: the encoding takes a second and 70 MB to load, and a long text
 * takes tenths of a second to count, during which no stream would proceed. The thread starts with the first call that
 * is counted.
 */
export class TokenCounter {
  readonly #threads = new Piscina<CountedCall, Counted>({
    filename: new URL('./counting-thread.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MOST_WAITING,
    idleTimeout: Number.POSITIVE_INFINITY,
    execArgv: [],
  })

  /** @throws Error when it cannot be counted now */
  count(call: CountedCall): Promise<Counted> {
    return this.#threads.run(call)
  }

  close(): Promise<void> {
    return this.#threads.destroy()
  }
}
