/** Wakes one waiter. A signal that comes while none waits is kept for the next one. */
export class WakeSignal {
  #isRaised = false
  #wake: () => void = () => {}

  raise(): void {
    this.#isRaised = true
    this.#wake()
  }

  /** Resolves at a signal, at once if there was one since it last resolved, or after `ms`. */
  async raised(ms: number): Promise<void> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isRaised = false
  }
}
