import { Piscina } from 'piscina'
import type { Counted, CountedCall } from './counting-thread.ts'

/** So many calls may wait to be counted; one more is refused, as a bound of what their texts take. */
const MOST_WAITING = 500

/**
 * Counts the words of calls beside the calls themselves: the encoding takes a second and 70 MB to load, and a long text some
 * tenths of a second to count, in which no stream would go on. Its thread begins with the first call that is counted.
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
