/** Runs work once per key at a time: a call for a key with work in progress joins it. */
export class SingleFlight<Result> {
  readonly #running = new Map<string, Promise<Result>>()

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(key)
    if (running) return running
    const started = work().finally(() => this.#running.delete(key))
    this.#running.set(key, started)
    return started
  }
}
