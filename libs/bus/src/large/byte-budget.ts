/** Limits the memory held at once, in bytes; a request for more than is left is refused and does not wait. */
export class ByteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @returns a function that releases the bytes, once; undefined where fewer are left */
  take(bytes: number): (() => void) | undefined {
    if (bytes > this.#left) return undefined
    this.#left -= bytes
    let isTaken = true
    return () => {
      if (isTaken) this.#left += bytes
      isTaken = false
    }
  }
}
