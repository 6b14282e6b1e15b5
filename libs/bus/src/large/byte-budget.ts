/** What may be held of memory at once, in bytes; who finds too little left is refused and does not wait. */
export class ByteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** @returns gives the bytes back, once; undefined where fewer are left */
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
