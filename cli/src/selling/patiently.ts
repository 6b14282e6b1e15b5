import { setTimeout as wait } from 'node:timers/promises'
import { ApiRefusal } from '@callboard/client'

const MOST_WAITS = 5
const LONGEST_WAIT_S = 60

/** Waits where the service says that it is asked too often: a listing must not stay offline for that. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await ask()
    } catch (error) {
      const pause = error instanceof ApiRefusal && error.status === 429 ? (error.retryAfterSeconds ?? 1) : undefined
      if (pause === undefined || pause > LONGEST_WAIT_S || waits === MOST_WAITS) throw error
      await wait(pause * 1_000)
    }
  }
}
