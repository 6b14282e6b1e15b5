/** The heads that endpoints of a chain push, for all who wait for news of it. One that comes while none waits is not missed. */
export class NewHeads {
  readonly #waiting = new Set<() => void>()
  #count = 0

  /** How many came so far. */
  get count(): number {
    return this.#count
  }

  push(): void {
    this.#count += 1
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves at the first head after those that were seen, at once where it came already, or after `ms`. */
  async after(seen: number, ms: number): Promise<void> {
    if (this.#count > seen) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waiting.add(wake)
    })
  }
}
