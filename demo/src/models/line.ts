import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises'

/** What the sample observed of one request. */
export interface Call {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The request's JSON; undefined until it is read, or when it is not JSON. */
  readonly body: unknown
  /** 0 until the response headers are sent. */
  readonly status: number
  /** How many frames of a stream were sent. */
  readonly frames: number
  /** Whether the client left before the answer had ended. */
  readonly aborted: boolean
  /** When it left, by `performance.now()`. */
  readonly abortedAtMs: number | undefined
}

export type OpenCall = { -readonly [Member in keyof Call]: Call[Member] }

/** The connection back to the client. Waits on it reject as soon as the client has left. */
export interface Line {
  readonly gone: AbortSignal
  readonly wait: (ms: number) => Promise<void>
  readonly open: (status: number, headers: Readonly<Record<string, string>>) => void
  readonly write: (bytes: string | Buffer) => Promise<void>
  readonly end: () => void
  /** Closes the connection in the middle of the answer. */
  readonly die: () => void
  /** Resets the connection: the client sees ECONNRESET. */
  readonly reset: () => void
}

/** Opens the line of a call, and records in the call what happens on it. */
export function openLine(res: ServerResponse, call: OpenCall): Line {
  const gone = new AbortController()
  let isOurs = false
  res.on('error', () => {})
  res.on('close', () => {
    if (!isOurs && !res.writableFinished) {
      call.aborted = true
      call.abortedAtMs = performance.now()
    }
    gone.abort()
  })
  return {
    gone: gone.signal,
    wait: (ms) => after(ms, undefined, { signal: gone.signal }),
    open: (status, headers) => {
      call.status = status
      res.writeHead(status, headers).flushHeaders()
    },
    write: async (bytes) => {
      if (res.write(bytes)) await nextTurn(undefined, { signal: gone.signal })
      else await once(res, 'drain', { signal: gone.signal })
    },
    end: () => void res.end(),
    die: () => {
      isOurs = true
      res.destroy()
    },
    reset: () => {
      isOurs = true
      res.socket?.resetAndDestroy()
    },
  }
}
