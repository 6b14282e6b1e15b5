/**
 * The time limit of a handler. `AbortSignal.timeout` would keep running after the answer and finally abort with no
 * listener left, creating an error with its stack each time: a tenth of the CPU of a small request.
 */
export class Deadline {
  readonly #abort: AbortController
  readonly #timer: NodeJS.Timeout

  /** @param abort aborts at the deadline, or for its owner's other reasons: one signal costs less than `any` of two */
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

  /** The answer is ready. */
  over(): void {
    clearTimeout(this.#timer)
  }
}
