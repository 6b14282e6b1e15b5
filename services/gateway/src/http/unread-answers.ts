import type { Server } from 'node:http'
import { MINUTE_MS } from '@callboard/values'

/** Longer than a network is silent between two packets that arrive. */
const PATIENCE_MS = MINUTE_MS

/**
 * Closes the connection of a client that has taken nothing of its answer for a while. Node keeps such answers in memory
 * for good, and connections cost a client nothing. An answer that is not written yet may take as long as it needs.
 */
export function closeUnread(server: Server, afterMs = PATIENCE_MS): void {
  server.on('request', ({ socket }, response) => {
    response.setTimeout(afterMs, () => {
      if (response.writableLength > 0) socket.destroy()
    })
  })
}
