import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { GuardError } from './failure.ts'

/** A connector whose connection ends once more bytes came over it than were allowed. */
export interface WireCap {
  readonly connect: buildConnector.connector
  /** Begins the count anew, for the next request. */
  allow(bytes: number): void
}

/**
 * Bounds what the other side sends for one request as it comes off the socket, whatever it is: heads, interim
 * responses, chunk framing, trailers. Caps on what is parsed out of it see only a part.
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
    // After the client's own listener, which starts the reading: the first one that is added gets the early bytes.
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
