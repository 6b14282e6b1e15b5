/** Blocks a transaction may take before more is asked than its receipt. */
const PATIENCE_BLOCKS = 3
const PATIENCE_MS = 2_000

/** Of the time that a payment is overdue, the part that passes until it is asked for again. */
const PART = 4
const LONGEST_PAUSE_MS = 10_000

/** A payment on its way, and the chain that it is on. Times in milliseconds. */
export interface OnItsWay {
  readonly since: number
  readonly now: number
  readonly blockTimeMs: number
}

/** For how long a payment that was sent should have been in a block; negative while it has time. Milliseconds. */
export const overdueMs = ({ since, now, blockTimeMs }: OnItsWay): number =>
  now - since - PATIENCE_BLOCKS * blockTimeMs - PATIENCE_MS

/**
 * How long to leave an overdue payment alone before its chain is asked again: the longer it has been stuck, the less a moment
 * counts. Milliseconds; 0 while it has time, and is asked for on the network's beat.
 */
export const pauseMs = (payment: OnItsWay): number => Math.min(LONGEST_PAUSE_MS, Math.max(0, overdueMs(payment) / PART))
