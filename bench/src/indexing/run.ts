import { setTimeout as delay } from 'node:timers/promises'

/** What reading the whole chain took. */
export interface Run {
  readonly wallMs: number
  /** CPU time of the indexing process. */
  readonly cpuMs: number
  readonly postgresCpuMs: number
  /** Payments that are missing, there twice, or not as they were sent. */
  readonly differences: number
}

const LONGEST_MS = 600_000
/** Often enough not to blur a run of seconds, and seldom enough not to be part of its load. */
const LOOK_EVERY_MS = 20

/** Looks until it is so. @throws Error naming what did not happen */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${LONGEST_MS / 1_000} s`)
    await delay(LOOK_EVERY_MS)
  }
}
