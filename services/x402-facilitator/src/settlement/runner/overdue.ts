/** Blocks a transaction may take before more than its receipt is checked. */
const PATIENCE_BLOCKS = 3
const PATIENCE_MS = 2_000

/** An overdue payment is checked again after its overdue time divided by this. */
const PART = 4
const LONGEST_PAUSE_MS = 10_000

/** A payment on its way, and the chain that it is on. Times in milliseconds. */
export interface OnItsWay {
  readonly since: number
  readonly now: number
  readonly blockTimeMs: number
}

/** How long ago a sent payment should have been in a block; negative while it is on time. Milliseconds. */
export const overdueMs = ({ since, now, blockTimeMs }: OnItsWay): number =>
  now - since - PATIENCE_BLOCKS * blockTimeMs - PATIENCE_MS

/**
 * How long to wait before an overdue payment's chain is asked again: the longer it has been stuck, the longer.
 * Milliseconds; 0 while it is on time, and checked at the network's polling interval.
 */
export const pauseMs = (payment: OnItsWay): number => Math.min(LONGEST_PAUSE_MS, Math.max(0, overdueMs(payment) / PART))
