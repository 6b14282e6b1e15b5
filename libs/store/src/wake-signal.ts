/** Wakes one waiter. A signal that comes while none waits is kept for the next one. */
export class WakeSignal {
  #isRaised = false
  #wake: () => void = () => {}

  raise(): void {
    this.#isRaised = true
    this.#wake()
  }

  /** Resolves at a signal, at once if there was one since it last resolved, or after `ms`. @returns whether there was one */
  async raised(ms: number): Promise<boolean> {
    if (!this.#isRaised) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    const wasRaised = this.#isRaised
    this.#isRaised = false
    return wasRaised
  }
}

/** How often what is woken by notifications looks without one, in the middle. */
const SWEEP_MS = 30_000

/** The wait until the next look without a signal; replicas do not all look at once. @param middleMs of these waits */
export const sweepMs = (middleMs: number = SWEEP_MS): number => middleMs * (0.75 + Math.random() / 2)
