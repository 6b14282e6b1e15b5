import type { Clock } from '@callboard/values'

/**
 * Tracks since when a chain's nodes have left requests unanswered. A hanging call is measured only when it ends; this
 * shows it while it hangs.
 */
export class ChainSilence {
  readonly #clock: Clock
  readonly #since = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A call starts: the first since the last answer counts. */
  asked(network: string): void {
    if (!this.#since.has(network) || this.#since.get(network) === Number.POSITIVE_INFINITY)
      this.#since.set(network, this.#clock.now())
  }

  /** A node answered, with a result or with its own error. */
  answered(network: string): void {
    this.#since.set(network, Number.POSITIVE_INFINITY)
  }

  /** By network, how long requests have gone unanswered; 0 when the last call was answered. */
  seconds(): ReadonlyMap<string, number> {
    const now = this.#clock.now()
    return new Map([...this.#since].map(([network, since]) => [network, Math.max(0, (now - since) / 1000)]))
  }
}
