/** Wakes one waiter. A ring that nobody waits for is kept for the next one who does. */
export class Bell {
  #hasRung = false
  #wake: () => void = () => {}

  ring(): void {
    this.#hasRung = true
    this.#wake()
  }

  /** Resolves at a ring, at once if there was one since it last resolved, or after `ms`. */
  async rings(ms: number): Promise<void> {
    if (!this.#hasRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#hasRung = false
  }
}
