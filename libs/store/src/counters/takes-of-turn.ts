import { gcraAhead, type Rate, type Taken } from './counters.ts'

/** The most takes in one script, during which the server runs no other command. */
const MOST_TOGETHER = 64

/** A take that waits for its answer. */
interface Asked {
  readonly key: string
  readonly rate: Rate
  readonly cost: number
  /** Units to take in addition, if half of the burst stays. */
  readonly ahead: number
  readonly answer: PromiseWithResolvers<Taken>
}

interface Server {
  /**
   * Runs the script.
   * @param rates burst, requests a minute, cost and units ahead of each key, in the keys' order
   * @returns the server's time and then, for each key, the arrival time it found, in milliseconds
   */
  send(keys: readonly string[], rates: readonly number[]): Promise<readonly string[]>
  /** Calls `work` at the end of this turn. */
  endOfTurn(work: () => void): void
}

/**
 * Combines the takes of one turn of the event loop in one script, which takes them one after the other: most of a
 * take's cost, for this process and the server, is the command. When the script fails, all of its takes fail.
 */
export class TakesOfTurn {
  readonly #server: Server
  #waiting: Asked[] = []

  constructor(server: Server) {
    this.#server = server
  }

  take(key: string, rate: Rate, cost: number, ahead: number): Promise<Taken> {
    if (this.#waiting.length === 0) this.#server.endOfTurn(() => this.#leave())
    const answer = Promise.withResolvers<Taken>()
    this.#waiting.push({ key, rate, cost, ahead, answer })
    return answer.promise
  }

  #leave(): void {
    const all = this.#waiting
    this.#waiting = []
    for (let from = 0; from < all.length; from += MOST_TOGETHER) void this.#ask(all.slice(from, from + MOST_TOGETHER))
  }

  async #ask(asked: readonly Asked[]): Promise<void> {
    try {
      const rates = asked.flatMap(({ rate, cost, ahead }) => [rate.burst, rate.perMinute, cost, ahead])
      const [now, ...arrivals] = await this.#server.send(
        asked.map(({ key }) => key),
        rates,
      )
      for (const [place, { rate, cost, ahead, answer }] of asked.entries()) {
        answer.resolve(gcraAhead(rate, Number(now), Number(arrivals[place]), { cost, ahead }))
      }
    } catch (error) {
      for (const { answer } of asked) answer.reject(error)
    }
  }
}
