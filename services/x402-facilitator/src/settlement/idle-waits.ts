/** The most at one replica: the rest of its open requests is left to those whose payments are being settled. */
const MOST = 64

/**
 * Counts the requests that wait for something they cannot hasten: another request's payment, or blocks that are to
 * become safe or final. Each holds one of a replica's limited open requests, and costs its caller nothing.
 */
export class IdleWaits {
  #count = 0

  /** @returns a function that ends the wait, to be called once; undefined where no further request may wait */
  begin(): (() => void) | undefined {
    if (this.#count >= MOST) return undefined
    this.#count += 1
    return () => {
      this.#count -= 1
    }
  }
}
