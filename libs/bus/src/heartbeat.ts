/** How a long request is known to be worked on. Milliseconds. */
export interface Heartbeat {
  readonly everyMs: number
  /** After so long without a sign the responder is lost; requests that are waited for less long need no signs. */
  readonly silenceMs: number
}

export const HEARTBEAT: Heartbeat = { everyMs: 2_500, silenceMs: 10_000 }

/** Whoever does not ask for signs of life gets none: a release before would take the first for the answer. */
const ASKS = 'cb-heartbeat'

/** What a caller that understands signs of life says with a request. */
export const askForLife = (timeoutMs: number, { everyMs, silenceMs }: Heartbeat): Record<string, string> =>
  timeoutMs > silenceMs ? { [ASKS]: String(everyMs) } : {}

/** Tells at once and then again and again that a request is worked on, where its caller asks for that. @returns ends it */
export function tellLife(headers: Readonly<Record<string, string>>, tell: () => void): () => void {
  const everyMs = Number(headers[ASKS])
  if (!(everyMs > 0)) return () => {}
  tell()
  const timer = setInterval(tell, everyMs).unref()
  return () => clearInterval(timer)
}

/** Waits for the next sign of life. A responder that was lost before its first one is waited for until the deadline. */
export class Silence {
  readonly #ms: number
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined

  constructor({ silenceMs }: Heartbeat, onSilence: () => void) {
    this.#ms = silenceMs
    this.#onSilence = onSilence
  }

  /** There was a sign. */
  heard(): void {
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(this.#onSilence, this.#ms)
  }

  over(): void {
    clearTimeout(this.#timer)
  }
}
