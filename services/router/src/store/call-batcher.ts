import { coalesce, type SharedWork, within } from '@callboard/runtime'
import { isLockTimeout, isOutage } from '@callboard/store'
import type { Receipt } from '../domain/receipt.ts'
import { type Asked, type Held, hold, holdAll } from './hold.repository.ts'
import { type Due, type Settlement, settle, settleAll } from './settle.repository.ts'
import type { RouterDb } from './tables.ts'

/** The most calls per transaction: its rows are locked until the last of them is done. */
const MOST = 64
/** How long others wait for a call that came alone; as long as a batch waits for a row. */
const ALONE_MS = 100

/**
 * Holds and settles the calls of this process. Concurrent calls share a transaction, one write to Postgres and one
 * answer. A call that comes alone waits for no other.
 */
export class CallBatcher {
  readonly hold: (asked: Asked) => Promise<Held>
  readonly #settle: (due: Due) => Promise<Receipt | undefined>

  constructor(db: RouterDb) {
    this.hold = shared(
      (calls) => holdAll(db, calls),
      (asked) => hold(db, asked),
    )
    this.#settle = shared(
      async (calls) =>
        (await settleAll(db, calls)).map((one) => (one instanceof RangeError ? Promise.reject(one) : one)),
      ({ callId, ...settlement }) => settle(db, callId, settlement),
    )
  }

  /** Ends a call once, as `settle` of the repository does. */
  settle(callId: string, settlement: Settlement): Promise<Receipt | undefined> {
    return this.#settle({ ...settlement, callId })
  }
}

/**
 * Does work for many at once, or for each alone if that fails: no call fails or waits because of another. Those that
 * are done alone after a failure do not delay the ones that follow, and one that came alone does so only briefly.
 */
const shared = <In, Out>(all: SharedWork<In, Out>, alone: (item: In) => Promise<Out>): ((item: In) => Promise<Out>) =>
  coalesce(
    async (items) => {
      const [first, ...others] = items
      if (first !== undefined && others.length === 0) {
        const outcome = alone(first)
        await within(ALONE_MS, Promise.allSettled([outcome]))
        return [outcome]
      }
      try {
        return await all(items)
      } catch (error) {
        if (isOutage(error) && !isLockTimeout(error)) throw error
        return items.map(alone)
      }
    },
    { most: MOST, isShared: isOutage },
  )
