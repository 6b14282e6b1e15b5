/** Wakes one waiter. A signal that arrives while none waits is kept for the next one. */
export class WakeSignal {
  #isRaised = false
  #wake: () => void = () => {}

  raise(): void {
    this.#isRaised = true
    this.#wake()
  }

  /** Resolves on a signal, at once if one came since it last resolved, or after `ms`. @returns whether there was one */
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

/** The mean interval at which waiters on notifications also poll. */
const SWEEP_MS = 30_000

/** The wait until the next poll without a signal, jittered across replicas. @param middleMs the mean of these waits */
export const sweepMs = (middleMs: number = SWEEP_MS): number => middleMs * (0.75 + Math.random() / 2)
