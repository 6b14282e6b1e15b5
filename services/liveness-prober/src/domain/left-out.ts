import type { Verdict } from './probe-state.ts'

/** A check, and the one before it of the same endpoint. Times in milliseconds. */
export interface Following {
  readonly verdict: Verdict
  readonly startedAt: number
  readonly before: { readonly verdict: Verdict; readonly checkedAt: number } | undefined
  /** When the schedule meant to check the endpoint. */
  readonly dueAt: number
}

/**
 * How many checks the schedule left out between two that found an endpoint down, because it is then checked less and
 * less often. They count as down: otherwise an outage would weigh less the longer it lasts. The time after a check was
 * due is the prober's own delay.
 */
export function leftOut({ verdict, startedAt, before, dueAt }: Following, intervalMs: number): number {
  if (verdict !== 'down' || before?.verdict !== 'down') return 0
  const pausedMs = Math.min(startedAt, dueAt) - before.checkedAt
  return Math.max(0, Math.floor(pausedMs / intervalMs) - 1)
}
