import { routes } from '@callboard/contract'
import { Agent, fetch } from 'undici'

/** One request of the load, and its result. */
export interface Sent {
  readonly operation: string
  /** 0 when no answer came. */
  readonly status: number
  readonly ms: number
  readonly at: number
  /** Why no answer came, as the client reports it. */
  readonly cause?: string
}

export interface Answer {
  readonly status: number
  readonly headers: Pick<Headers, 'get' | 'getSetCookie'>
  readonly body: Record<string, unknown>
  readonly text: string
}

const TIMEOUT_MS = new Map(routes().map((route) => [route.id, route.timeoutMs]))
/** What a request may take beyond its operation's deadline: a process on its path may be paused for ten seconds. */
const SLACK_MS = 15_000

export const deadlineOf = (operation: string): number => (TIMEOUT_MS.get(operation) ?? 30_000) + SLACK_MS

/**
 * Half of a member's `SHUTDOWN_DELAY_MS`: on a connection idle for longer than that, a request may coincide with its
 * closing (docs/adr/0020), and no one could say whose fault a lost request is.
 */
const IDLE_MS = 500

/** Sends requests and records the result of each. */
export class Requests {
  readonly sent: Sent[] = []
  readonly #baseUrl: string
  readonly #connections = new Agent({ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS })

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /**
   * Sends one request and waits for its whole answer.
   * @returns status 0 when there was none: the connection failed, or the deadline passed
   */
  async send(operation: string, method: string, path: string, given: Given = {}): Promise<Answer> {
    const startedAt = performance.now()
    const note = (status: number, cause?: string) =>
      this.sent.push({ operation, status, ms: performance.now() - startedAt, at: startedAt, ...(cause && { cause }) })
    try {
      const json: Record<string, string> = given.body === undefined ? {} : { 'content-type': 'application/json' }
      const body = given.form ?? (given.body === undefined ? undefined : JSON.stringify(given.body))
      const answer = await fetch(this.#baseUrl + path, {
        method,
        headers: { ...json, ...given.headers },
        signal: AbortSignal.timeout(given.patienceMs ?? deadlineOf(operation) * 2),
        ...(body === undefined ? {} : { body }),
        dispatcher: this.#connections,
      })
      const text = await answer.text()
      note(answer.status)
      return { status: answer.status, headers: answer.headers, body: parsed(text), text }
    } catch (error) {
      note(0, causeOf(error))
      return { status: 0, headers: new Headers(), body: {}, text: '' }
    }
  }
}

export interface Given {
  /** When the client gives up. */
  readonly patienceMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent instead of a JSON body. */
  readonly form?: URLSearchParams
}

/** `fetch` only says that it failed; its cause says why. */
const causeOf = (error: unknown): string => {
  const { name, cause } = error as Error
  const { code, message } = (cause ?? {}) as { code?: string; message?: string }
  return [name, code, message].filter(Boolean).join(' ')
}

/** A request and its result, in one line. */
export const told = ({ operation, status, ms, cause }: Sent): string =>
  `${operation} ${status} after ${Math.round(ms)} ms${cause ? ` (${cause})` : ''}`

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}
