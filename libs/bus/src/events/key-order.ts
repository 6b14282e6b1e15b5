import { settled } from '../responses.ts'

/** Runs work of the same key sequentially, in order of arrival. */
export class KeyOrder {
  readonly #inFlight = new Set<Promise<void>>()
  /** The last promise in each key's queue. */
  readonly #tails = new Map<string, Promise<void>>()

  /** Runs work once all earlier work of its key has ended, with or without an error. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    const running = before.then(work, work)
    this.#tails.set(key, running)
    const forget = () => {
      if (this.#tails.get(key) === running) this.#tails.delete(key)
    }
    running.then(forget, forget)
    return this.hold(running)
  }

  /** Counts work as in progress whose order is kept elsewhere. */
  hold(work: Promise<void>): Promise<void> {
    this.#inFlight.add(work)
    const forget = () => this.#inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Whether work of a key is in progress. */
  isBusy(key: string): boolean {
    return this.#tails.has(key)
  }

  /** Resolves when all work has ended, or after `deadlineMs`. */
  ended(deadlineMs: number): Promise<void> {
    return settled(this.#inFlight, deadlineMs)
  }
}
