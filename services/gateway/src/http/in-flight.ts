import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** The requests that a server is answering. Node itself also counts a connection without any request as busy. */
export class InFlight {
  #count = 0
  #emptied = () => {}

  constructor(server: Server) {
    server.on('request', (_request, response) => {
      this.#count += 1
      response.once('close', () => {
        this.#count -= 1
        if (this.#count === 0) this.#emptied()
      })
    })
  }

  /** Waits until the last one is answered or abandoned, but no longer than this. */
  async over(withinMs: number): Promise<void> {
    if (this.#count === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#emptied = resolve
    const late = new AbortController()
    await Promise.race([promise, wait(withinMs, undefined, { signal: late.signal }).catch(() => {})])
    late.abort()
  }
}
