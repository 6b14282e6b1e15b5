import type { Clock } from '@callboard/values'

/**
 * Since when nodes of a chain have left what they are asked without an answer. A call that hangs is measured only when it
 * ends; this is seen while it hangs.
 */
export class ChainSilence {
  readonly #clock: Clock
  readonly #since = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A call begins: the first since the last answer is the one that counts. */
  asked(network: string): void {
    if (!this.#since.has(network) || this.#since.get(network) === Number.POSITIVE_INFINITY)
      this.#since.set(network, this.#clock.now())
  }

  /** A node answered, with a result or with a refusal of its own. */
  answered(network: string): void {
    this.#since.set(network, Number.POSITIVE_INFINITY)
  }

  /** By network, for how long what was asked has had no answer; 0 when the last call was answered. */
  seconds(): ReadonlyMap<string, number> {
    const now = this.#clock.now()
    return new Map([...this.#since].map(([network, since]) => [network, Math.max(0, (now - since) / 1000)]))
  }
}
