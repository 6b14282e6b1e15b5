import { keepNewest } from '@callboard/values'
import type { Rate, RateVerdict, Taken } from './counters.ts'
import { Stock } from './stock.ts'

/** Keys whose use is known; the oldest is forgotten first, with what it has left. */
const MOST_KEYS = 10_000

type TakeFromServer = (key: string, rate: Rate, cost: number, ahead: number) => Promise<Taken>

/**
 * Takes units of busy keys ahead of time, as many as this process used in the last second, so most takes need no answer
 * from the server. What was not used, and has not refilled since, goes back with the key's next question. The server
 * gives nothing ahead that would leave less than half of the burst: a caller near its limit is counted one by one.
 */
export class TakesAhead {
  readonly #stocks = new Map<string, Stock>()
  readonly #takeFromServer: TakeFromServer
  readonly #now: () => number

  constructor(takeFromServer: TakeFromServer, now: () => number = () => performance.now()) {
    this.#takeFromServer = takeFromServer
    this.#now = now
  }

  async take(key: string, rate: Rate, cost: number): Promise<RateVerdict> {
    const stock = this.#stockOf(key, rate)
    const known = stock.use(cost, this.#now())
    if (known) return known
    const { left, ahead } = stock.empty(cost, this.#now())
    // Returned first, in the same turn: a take is not paid by what has refilled since.
    const [, taken] = await Promise.all([
      left > 0 && this.#takeFromServer(key, rate, -left, 0),
      this.#takeFromServer(key, rate, cost, ahead),
    ])
    stock.fill(taken.ahead, taken.lead, this.#now())
    return taken.verdict
  }

  #stockOf(key: string, rate: Rate): Stock {
    const found = this.#stocks.get(key)
    if (found) return found
    const stock = new Stock(rate)
    keepNewest(this.#stocks, key, stock, MOST_KEYS)
    return stock
  }
}
