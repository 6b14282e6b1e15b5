/** UTF-16 units that are withheld at most; a finish and its usage have some hundred. */
const MOST_WITHHELD = 65_536

/**
 * Withholds the events with which a stream finishes its answer until it has ended: many clients leave when they read
 * the finish, before the usage, which follows it.
 */
export class WithheldFinish {
  #events = ''

  /** Takes an event. @param finished whether the answer is complete @returns what may be sent now */
  pass(event: string, finished: boolean): string {
    if (!finished || this.#events.length + event.length > MOST_WITHHELD) return this.take() + event
    this.#events += event
    return ''
  }

  /** Takes out what was withheld. */
  take(): string {
    const events = this.#events
    this.#events = ''
    return events
  }
}
