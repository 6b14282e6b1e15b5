/**
 * The chains that this replica leads. One that leads none waits in Postgres for the end of any leader; one that leads
 * some asks only now and then, so that the waiting replica is one without work (docs/adr/0112).
 */
export class LedChains {
  readonly #led = new Map<string, AbortController>()
  #idle = new AbortController()

  get networks(): readonly string[] {
    return [...this.#led.keys()]
  }

  /** Aborts as soon as this replica leads a chain; undefined while it does. */
  get idle(): AbortSignal | undefined {
    return this.#led.size === 0 ? this.#idle.signal : undefined
  }

  /** @returns a signal that aborts when the chain is handed over */
  begin(network: string): AbortSignal {
    const given = new AbortController()
    this.#led.set(network, given)
    this.#idle.abort(new Error('This replica leads a chain'))
    return given.signal
  }

  end(network: string): void {
    this.#led.delete(network)
    if (this.#led.size === 0) this.#idle = new AbortController()
  }

  /** Hands the chain over to the replica that waits for it. */
  give(network: string): void {
    this.#led.get(network)?.abort(new Error('The chain is given to a replica that leads none'))
  }
}
