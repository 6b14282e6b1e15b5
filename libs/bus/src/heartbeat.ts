/** How a long request is known to be worked on. Milliseconds. */
export interface Heartbeat {
  readonly everyMs: number
  /** After so long without a sign the responder is lost; requests that are waited for less long need no signs. */
  readonly idleTimeoutMs: number
}

export const HEARTBEAT: Heartbeat = { everyMs: 2_500, idleTimeoutMs: 10_000 }

/** A caller that does not ask for heartbeats gets none: a release before would take the first for the answer. */
const ASKS = 'cb-heartbeat'

/** What a caller that understands heartbeats says with a request. */
export const askForHeartbeats = (timeoutMs: number, { everyMs, idleTimeoutMs }: Heartbeat): Record<string, string> =>
  timeoutMs > idleTimeoutMs ? { [ASKS]: String(everyMs) } : {}

/** Says at once, then again and again, that a request is worked on, where its caller asks for it. @returns ends it */
export function sendHeartbeats(headers: Readonly<Record<string, string>>, beat: () => void): () => void {
  const everyMs = Number(headers[ASKS])
  if (!(everyMs > 0)) return () => {}
  beat()
  const timer = setInterval(beat, everyMs).unref()
  return () => clearInterval(timer)
}

/** Waits for the next sign of life. A responder that was lost before its first one is waited for until the deadline. */
export class IdleTimeout {
  readonly #ms: number
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined

  constructor({ idleTimeoutMs }: Heartbeat, onSilence: () => void) {
    this.#ms = idleTimeoutMs
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
