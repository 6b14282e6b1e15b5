import type { ChildExit } from '@callboard/embedded'

/** A server as its library starts it. */
export interface Started {
  readonly port: number
  readonly pid: number
  readonly exited: Promise<ChildExit>
  signal(signal: NodeJS.Signals): void
  stop(): Promise<void>
}

/** A server that the services depend on. It may be killed, paused and restarted on the same port and data. */
export class Backing<Server extends Started = Started> {
  readonly #start: (port: number | undefined) => Promise<Server>
  #server: Server

  private constructor(start: (port: number | undefined) => Promise<Server>, server: Server) {
    this.#start = start
    this.#server = server
  }

  static async of<Server extends Started>(
    start: (port: number | undefined) => Promise<Server>,
  ): Promise<Backing<Server>> {
    return new Backing(start, await start(undefined))
  }

  /** The currently running server. */
  get server(): Server {
    return this.#server
  }

  /** kill -9, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#server.signal('SIGKILL')
    await this.#server.exited
  }

  /** Pauses it: connections stay open and nothing answers. */
  pause(): void {
    this.#server.signal('SIGSTOP')
  }

  resume(): void {
    this.#server.signal('SIGCONT')
  }

  stop(): Promise<void> {
    this.resume()
    return this.#server.stop()
  }

  /** Restarts it after it was stopped or killed. */
  async again(): Promise<void> {
    this.#server = await this.#start(this.#server.port)
  }
}
