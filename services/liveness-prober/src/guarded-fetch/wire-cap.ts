import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { GuardError } from './failure.ts'

/** A connector that ends its connection once more bytes arrived than were allowed. */
export interface WireCap {
  readonly connect: buildConnector.connector
  /** Restarts the count, for the next request. */
  allow(bytes: number): void
}

/**
 * Bounds what the other side sends for one request as raw bytes of the socket: heads, interim responses, chunk framing,
 * trailers. Caps on parsed parts see only some of it.
 */
export function wireCap(connect: buildConnector.connector): WireCap {
  let socket: Socket | undefined
  let countedFrom = 0
  let allowed = 0

  function watch(opened: Socket): void {
    socket = opened
    countedFrom = opened.bytesRead
    const check = () => {
      if (opened.bytesRead - countedFrom > allowed) opened.destroy(new GuardError('too_large'))
    }
    // Added after the client's own listener, which starts the reading: the first listener gets the early bytes.
    setImmediate(() => opened.on('readable', check))
  }

  return {
    connect: (options, callback) =>
      connect(options, (...[error, opened]) => {
        if (error) return callback(error, null)
        watch(opened)
        callback(null, opened)
      }),
    allow(bytes) {
      allowed = bytes
      countedFrom = socket?.bytesRead ?? 0
    },
  }
}
