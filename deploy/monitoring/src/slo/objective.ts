import type { Sight } from '../alerts/alert.ts'

/** One promise to the users of an instance, and how it is measured. */
export interface Objective {
  /** The label `slo` of its series. */
  readonly id: string
  readonly title: string
  /** The promise, for a reader who runs nothing. */
  readonly promise: string
  /** What is counted on the instance, and how. */
  readonly measured: string
  /** The share of events that may be bad in 30 days. */
  readonly budget: number
  /** The kind of event: `requests`, `payments`, or `of the time` where each evaluation is one. */
  readonly events: 'requests' | 'payments' | 'time'
  /** PromQL of bad events per second, or of 0 and 1 for time; `window` is a duration. */
  readonly bad: (window: string) => string
  /** PromQL of all events per second, or of 1 for time; absent where it is unknown whether an event was bad. */
  readonly all: (window: string) => string
  readonly burn: Burn
}

/** The alert for an objective whose budget burns too fast. */
export interface Burn {
  readonly name: string
  readonly severity: 'critical' | 'warning'
  readonly summary: string
  /** The meaning of `$value`, the share of bad events, in words. */
  readonly says: string
  /** Below this many events per second a single failure is not significant; absent for time. */
  readonly leastPerSecond?: number
  readonly sight?: Sight
}

/** The period, in days, of a budget. */
export const BUDGET_DAYS = 30

/** The series recorded by the rules, each with a label `slo`. */
export const RECORDED = {
  bad: 'callboard:slo_bad:rate5m',
  all: 'callboard:slo_events:rate5m',
  budget: 'callboard:slo_budget:ratio',
  errors: 'callboard:slo_errors:ratio30d',
  left: 'callboard:slo_budget_left:ratio30d',
} as const

/**
 * The share of bad events over a window, as PromQL: from both recorded series, so that its cost does not grow with the
 * number of operations.
 * @param matchers such as `slo="reads"`
 */
export const shareOver = (window: string, matchers: string, by = ''): string => {
  const over = (metric: string) =>
    `sum${by === '' ? '' : ` by (${by}) `}(sum_over_time(${metric}${matchers === '' ? '' : `{${matchers}}`}[${window}]))`
  return `${over(RECORDED.bad)} / ${over(RECORDED.all)}`
}
