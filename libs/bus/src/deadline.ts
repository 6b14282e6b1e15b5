/**
 * The time a handler has. `AbortSignal.timeout` would go on after the answer and abort in the end with no listener
 * left, making an error with its stack each time: a tenth of the CPU of a small request.
 */
export class Deadline {
  readonly #abort = new AbortController()
  readonly #timer: NodeJS.Timeout

  constructor(timeoutMs: number) {
    this.#timer = setTimeout(
      () => this.#abort.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    ).unref()
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** There is an answer. */
  over(): void {
    clearTimeout(this.#timer)
  }
}
