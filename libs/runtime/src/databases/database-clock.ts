import { type Clock, MINUTE_MS } from '@callboard/values'
import { type Kysely, sql } from 'kysely'
import type { Logger } from '../telemetry/log.ts'

/** Two correct clocks, and the latency between them, differ by less. */
const TOLERATED_MS = 1_000
const COMPARED_EVERY_MS = MINUTE_MS
const ATTEMPTS = 3

/**
 * The time of the database that a service's replicas share: a validity time written by one holds for the others,
 * however wrong its machine's clock is. The machine's clock is used as long as it is right.
 */
export class DatabaseClock implements Clock {
  readonly #db: Kysely<never>
  readonly #log: Logger
  readonly #machine: Clock
  #offsetMs = 0

  constructor(db: Kysely<never>, log: Logger, machine: Clock) {
    this.#db = db
    this.#log = log
    this.#machine = machine
  }

  now(): number {
    return this.#machine.now() + this.#offsetMs
  }

  /** Compares the machine's clock with the database's. An answer that took too long proves nothing: it asks again. */
  async compare(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const offsetMs = await this.#measured()
      if (offsetMs !== undefined) return this.#take(offsetMs)
    }
  }

  async #measured(): Promise<number | undefined> {
    const sent = performance.now()
    const { rows } = await sql<{ ms: string }>`
      select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(this.#db)
    const took = performance.now() - sent
    if (took > TOLERATED_MS) return undefined
    const ahead = Number(rows[0]?.ms) - (this.#machine.now() - took / 2)
    return Math.abs(ahead) < TOLERATED_MS ? 0 : Math.round(ahead)
  }

  #take(offsetMs: number): void {
    if (Math.abs(offsetMs - this.#offsetMs) >= TOLERATED_MS) {
      this.#log.warn({ offsetMs }, 'this machine’s clock is not the database’s; times are taken from the database')
    }
    this.#offsetMs = offsetMs
  }

  /** Compares periodically; while the database is unavailable, the last result counts. @returns a function to end it */
  keep(): () => Promise<void> {
    const timer = setInterval(() => void this.compare().catch(() => {}), COMPARED_EVERY_MS)
    timer.unref()
    return async () => clearInterval(timer)
  }
}
