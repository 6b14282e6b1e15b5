import { settled } from '../responses.ts'

/** Work in the order of its keys: what has one key runs one after another, in the order in which it came. */
export class KeyOrder {
  readonly #inFlight = new Set<Promise<void>>()
  /** The tail of the work of each key. */
  readonly #tails = new Map<string, Promise<void>>()

  /** Runs work once all earlier work of its key has ended, however that ended. */
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

  /** Counts work as under way that keeps its order elsewhere. */
  hold(work: Promise<void>): Promise<void> {
    this.#inFlight.add(work)
    const forget = () => this.#inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Whether work of a key is under way. */
  isBusy(key: string): boolean {
    return this.#tails.has(key)
  }

  /** Resolves when all work has ended, or after `deadlineMs`. */
  ended(deadlineMs: number): Promise<void> {
    return settled(this.#inFlight, deadlineMs)
  }
}
