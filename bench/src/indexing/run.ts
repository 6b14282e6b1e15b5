import { setTimeout as delay } from 'node:timers/promises'

/** The cost of reading the whole chain. */
export interface Run {
  readonly wallMs: number
  /** CPU time of the indexing process. */
  readonly cpuMs: number
  readonly postgresCpuMs: number
  /** Payments that are missing, duplicated, or not as they were sent. */
  readonly differences: number
}

const LONGEST_MS = 600_000
/** Short enough to resolve a run of seconds, and long enough not to add to its load. */
const LOOK_EVERY_MS = 20

/** Polls until a condition holds. @throws Error naming what did not happen */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${LONGEST_MS / 1_000} s`)
    await delay(LOOK_EVERY_MS)
  }
}
