/** The most at one replica: the rest of its open requests is left to those whose payments are being settled. */
const MOST = 128
/** The most for payments that one network had settled, so that no single one can take the wait of all others. */
const MOST_OF_NETWORK = 64

/**
 * Counts the requests that wait for something they cannot hasten: another request's payment, or blocks that are to
 * become safe or final. Each holds one of a replica's limited open requests, and costs its caller nothing.
 */
export class IdleWaits {
  readonly #counts = new Map<string, number>()
  #count = 0

  /**
   * @param network that asked for the payment's settlement; null for requests of our own services
   * @returns a function that ends the wait, to be called once; undefined where no further request may wait
   */
  begin(network: string | null): (() => void) | undefined {
    if (this.#count >= MOST) return undefined
    if (network !== null && this.#of(network) >= MOST_OF_NETWORK) return undefined
    this.#add(network, 1)
    return () => this.#add(network, -1)
  }

  #of(network: string): number {
    return this.#counts.get(network) ?? 0
  }

  #add(network: string | null, one: 1 | -1): void {
    this.#count += one
    if (network === null) return
    const count = this.#of(network) + one
    if (count === 0) this.#counts.delete(network)
    else this.#counts.set(network, count)
  }
}
