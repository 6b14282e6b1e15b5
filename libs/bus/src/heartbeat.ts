/** How a caller knows that a long request is still being worked on. Milliseconds. */
export interface Heartbeat {
  readonly everyMs: number
  /** After this long without a sign the responder is lost; requests with shorter timeouts need no heartbeats. */
  readonly idleTimeoutMs: number
}

export const HEARTBEAT: Heartbeat = { everyMs: 2_500, idleTimeoutMs: 10_000 }

/** The headers of a caller that understands heartbeats; any other gets none, as it would take one for the answer. */
export const askForHeartbeats = (timeoutMs: number, heartbeat: Heartbeat): Record<string, string> =>
  timeoutMs > heartbeat.idleTimeoutMs ? exchangeHeartbeats(heartbeat) : {}

/** The request headers of a stream's reader, which sends heartbeats itself for as long as it reads. */
export const exchangeHeartbeats = ({ everyMs }: Heartbeat): Record<string, string> => ({
  'cb-heartbeat': String(everyMs),
})

/** How often heartbeats are requested. @returns undefined for a caller of the previous release, which has none */
export function heartbeatsOf(headers: Readonly<Record<string, string>>): number | undefined {
  const everyMs = Number(headers['cb-heartbeat'])
  return everyMs > 0 ? everyMs : undefined
}

/** Sends heartbeats for a request, the first at once, if its caller asks for them. @returns stops them */
export function sendHeartbeats(headers: Readonly<Record<string, string>>, beat: () => void): () => void {
  const everyMs = heartbeatsOf(headers)
  if (everyMs === undefined) return () => {}
  beat()
  const timer = setInterval(beat, everyMs).unref()
  return () => clearInterval(timer)
}

/** Waits for the next sign of life, starting when one is first heard or due. */
export class IdleTimeout {
  readonly #ms: number
  readonly #onSilence: () => void
  #timer: NodeJS.Timeout | undefined
  #ending: NodeJS.Immediate | undefined

  constructor({ idleTimeoutMs }: Heartbeat, onSilence: () => void) {
    this.#ms = idleTimeoutMs
    this.#onSilence = onSilence
  }

  /** A sign arrived. */
  heard(): void {
    clearImmediate(this.#ending)
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#expire(), this.#ms)
  }

  over(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#ending)
  }

  /** After a process was blocked, timers run before the signs that are waiting: hear those first. */
  #expire(): void {
    this.#ending = setImmediate(this.#onSilence)
  }
}
