import { setTimeout as wait } from 'node:timers/promises'
import { Journal } from './journal.ts'
import { linkAgents } from './linking.ts'
import { publishListings } from './listing.ts'
import { manageKeys, openSessions } from './owning.ts'
import { payAndRepeat, payAndWait } from './paying.ts'
import { read } from './reading.ts'
import { Requests } from './requests.ts'
import type { Shift } from './shift.ts'
import type { Stage } from './stage.ts'

/** One round of a worker. @returns false when it failed */
type Round = (shift: Shift) => Promise<boolean>

/** Workers, and the pauses between their rounds. */
const WORKERS: Readonly<Record<string, { readonly round: Round; readonly everyMs: number; readonly count: number }>> = {
  read: { round: read, everyMs: 80, count: 1 },
  pay: { round: payAndRepeat, everyMs: 150, count: 3 },
  'pay and wait': { round: payAndWait, everyMs: 300, count: 1 },
  publish: { round: publishListings, everyMs: 400, count: 1 },
  keys: { round: manageKeys, everyMs: 300, count: 1 },
  link: { round: linkAgents, everyMs: 700, count: 1 },
  sessions: { round: openSessions, everyMs: 500, count: 1 },
}

/** A steady mixed load of readers, payers, a provider and an owner. It can be paused with nothing in flight. */
export class Load {
  readonly requests: Requests
  readonly journal = new Journal()
  readonly #shift: Shift
  readonly #pause: number
  /** Successful rounds, by worker. */
  readonly #done = new Map<string, number>()
  #running: Promise<unknown> | undefined
  #over = new AbortController()

  /** @param pause factor for the time that a worker waits between its rounds */
  constructor(baseUrl: string, stage: Stage, pause = 1) {
    this.#pause = pause
    this.requests = new Requests(baseUrl)
    this.#shift = { stage, baseUrl, requests: this.requests, journal: this.journal }
  }

  resume(): void {
    this.#over = new AbortController()
    const { signal } = this.#over
    const workers = Object.entries(WORKERS).flatMap(([name, worker]) =>
      Array.from({ length: worker.count }, async () => {
        while (!signal.aborted) {
          if (await worker.round(this.#shift)) this.#done.set(name, (this.#done.get(name) ?? 0) + 1)
          await wait(worker.everyMs * this.#pause)
        }
      }),
    )
    this.#running = Promise.all(workers)
  }

  /** Sends a number of payments at once, in addition to the steady load. Resolves when each has its outcome. */
  async burst(payments: number): Promise<void> {
    await Promise.all(Array.from({ length: payments }, () => payAndRepeat(this.#shift)))
  }

  /** Resolves when every started round has ended: no request is in flight and no payment is open. */
  async pause(): Promise<void> {
    this.#over.abort()
    await this.#running
  }

  /** Waits until every kind of worker has succeeded again. @throws Error naming those that have not */
  async untilWell(withinMs: number): Promise<void> {
    const before = new Map(this.#done)
    const still = () => Object.keys(WORKERS).filter((name) => (this.#done.get(name) ?? 0) < (before.get(name) ?? 0) + 2)
    const end = performance.now() + withinMs
    while (still().length > 0) {
      if (performance.now() > end) throw new Error(`${still().join(', ')} did not recover within ${withinMs / 1000} s`)
      await wait(50)
    }
  }
}
