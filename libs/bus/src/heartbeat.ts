/** How a long request is known to be worked on. Milliseconds. */
export interface Heartbeat {
  readonly everyMs: number
  /** After so long without a sign the responder is lost; requests that are waited for less long need no signs. */
  readonly idleTimeoutMs: number
}

export const HEARTBEAT: Heartbeat = { everyMs: 2_500, idleTimeoutMs: 10_000 }

/** What a caller that understands heartbeats says with a request; one that does not gets none, and would take the first for the answer. */
export const askForHeartbeats = (timeoutMs: number, heartbeat: Heartbeat): Record<string, string> =>
  timeoutMs > heartbeat.idleTimeoutMs ? exchangeHeartbeats(heartbeat) : {}

/** What the reader of a stream says with its request: it sends heartbeats itself for as long as it reads. */
export const exchangeHeartbeats = ({ everyMs }: Heartbeat): Record<string, string> => ({
  'cb-heartbeat': String(everyMs),
})

/** How often heartbeats are asked for. @returns undefined for a caller of a release before, which knows of none */
export function heartbeatsOf(headers: Readonly<Record<string, string>>): number | undefined {
  const everyMs = Number(headers['cb-heartbeat'])
  return everyMs > 0 ? everyMs : undefined
}

/** Says at once, then again and again, that a request is worked on, where its caller asks for it. @returns ends it */
export function sendHeartbeats(headers: Readonly<Record<string, string>>, beat: () => void): () => void {
  const everyMs = heartbeatsOf(headers)
  if (everyMs === undefined) return () => {}
  beat()
  const timer = setInterval(beat, everyMs).unref()
  return () => clearInterval(timer)
}

/** Waits for the next sign of life, from the first time that it is told of one, or that one is due. */
export class IdleTimeout {
  readonly #ms: number
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined
  #ending: NodeJS.Immediate | undefined

  constructor({ idleTimeoutMs }: Heartbeat, onSilence: () => void) {
    this.#ms = idleTimeoutMs
    this.#onSilence = onSilence
  }

  /** There was a sign. */
  heard(): void {
    clearImmediate(this.#ending)
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#expire(), this.#ms)
  }

  over(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#ending)
  }

  /** In a process that was kept from running, timers come before the signs that are waiting: those are heard first. */
  #expire(): void {
    this.#ending = setImmediate(this.#onSilence)
  }
}
