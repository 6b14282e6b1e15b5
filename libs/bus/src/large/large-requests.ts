import { ByteBudget } from './byte-budget.ts'
import { ENVELOPE_BYTES } from './frames.ts'
import { Semaphore } from './semaphore.ts'

/** The default memory for a process's large requests, in bytes: eight of 8 MB with their envelopes. */
export const LARGE_REQUESTS_BYTES = 8 * (8_000_000 + ENVELOPE_BYTES)
/** Pieces in flight to a process: 4 MiB, a sixteenth of what a NATS server buffers for a client before it drops it. */
const PIECES_ON_THE_WAY = 16

/** What all large requests of a process share. */
export class LargeRequests {
  readonly budget: ByteBudget
  readonly pulls = new Semaphore(PIECES_ON_THE_WAY)

  constructor(bytes: number = LARGE_REQUESTS_BYTES) {
    this.budget = new ByteBudget(bytes)
  }
}
