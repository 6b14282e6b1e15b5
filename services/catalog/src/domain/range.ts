import type { Range } from '@callboard/contract'
import { DAY_MS, HOUR_MS, type IsoTime, isoTime } from '@callboard/values'

interface Span {
  readonly lengthMs: number
  readonly stepMs: number
}

const SPANS: Readonly<Record<Range, Span>> = {
  '24h': { lengthMs: DAY_MS, stepMs: HOUR_MS },
  '7d': { lengthMs: 7 * DAY_MS, stepMs: 6 * HOUR_MS },
  '30d': { lengthMs: 30 * DAY_MS, stepMs: DAY_MS },
}

/** A range ending now: it begins exactly its length ago; its steps are whole UTC hours, quarter days or days. */
export interface Window {
  readonly since: Date
  readonly stepMs: number
  /** The starts of its steps, the first at or before `since`; the last step covers now and anything later. */
  readonly starts: readonly number[]
}

export function windowOf(range: Range, nowMs: number): Window {
  const { lengthMs, stepMs } = SPANS[range]
  const sinceMs = nowMs - lengthMs
  const firstMs = Math.floor(sinceMs / stepMs) * stepMs
  const count = Math.floor(nowMs / stepMs) - firstMs / stepMs + 1
  return {
    since: new Date(sinceMs),
    stepMs,
    starts: Array.from({ length: count }, (_, step) => firstMs + step * stepMs),
  }
}

/** The last seven UTC days, today included. */
export function sevenDaysOf(nowMs: number): Window {
  const firstMs = Math.floor(nowMs / DAY_MS) * DAY_MS - 6 * DAY_MS
  return {
    since: new Date(firstMs),
    stepMs: DAY_MS,
    starts: Array.from({ length: 7 }, (_, day) => firstMs + day * DAY_MS),
  }
}

/** The sums of one step of a window. */
export interface StepSum {
  readonly start: Date
  readonly calls: number
  readonly volumeUsd: string
  readonly surviving: { count: number; volumeUsd: string }
}

/** One sum per step of the window, with zeros for empty steps. */
export function fillSteps(
  { starts }: Window,
  sums: readonly StepSum[],
): (Omit<StepSum, 'start'> & { start: IsoTime })[] {
  const byStart = new Map(sums.map((sum) => [sum.start.getTime(), sum]))
  return starts.map((start) => {
    const sum = byStart.get(start)
    const surviving = sum?.surviving ?? { count: 0, volumeUsd: '0' }
    return { start: isoTime(start), calls: sum?.calls ?? 0, volumeUsd: sum?.volumeUsd ?? '0', surviving }
  })
}
