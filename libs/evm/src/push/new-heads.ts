/** The heads that endpoints of a chain push, for all who wait for news of it. None is missed while no one waits. */
export class NewHeads {
  readonly #waiting = new Set<() => void>()
  #count = 0

  /** The number of heads so far. */
  get count(): number {
    return this.#count
  }

  push(): void {
    this.#count += 1
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves at the first head after the number seen, at once if it already came, or after `ms`. */
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
