/**
 * The time a handler has. `AbortSignal.timeout` would go on after the answer and abort in the end with no listener
 * left, making an error with its stack each time: a tenth of the CPU of a small request.
 */
export class Deadline {
  readonly #abort: AbortController
  readonly #timer: NodeJS.Timeout

  /** @param abort aborts at the deadline, and for other reasons of its owner's: one signal costs less than one made `any` of two */
  constructor(timeoutMs: number, abort = new AbortController()) {
    this.#abort = abort
    this.#timer = setTimeout(
      () => abort.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
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
