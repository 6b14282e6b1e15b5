import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

const asides = new AsyncLocalStorage<true>()

/** Runs what is not the process's own work, such as reading its gauges: its waits for a connection do not count. */
export const aside = <Result>(work: () => Result): Result => asides.run(true, work)

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** A pool that counts its work separately from what runs aside. */
export class WorkPool extends pg.Pool {
  #asidesWaiting = 0

  /** Work waiting for a connection. */
  get workWaiting(): number {
    return Math.max(0, this.waitingCount - this.#asidesWaiting)
  }

  override connect = ((callback?: Connected) => {
    const connect = super.connect.bind(this) as (callback?: Connected) => Promise<pg.PoolClient> | undefined
    if (!asides.getStore()) return connect(callback)
    const before = this.waitingCount
    let isQueued = false
    const leave = () => {
      if (isQueued) this.#asidesWaiting -= 1
      isQueued = false
    }
    const result = callback
      ? connect((...answer) => {
          leave()
          callback(...answer)
        })
      : connect()?.finally(leave)
    isQueued = this.waitingCount > before
    if (isQueued) this.#asidesWaiting += 1
    return result
  }) as pg.Pool['connect']
}
