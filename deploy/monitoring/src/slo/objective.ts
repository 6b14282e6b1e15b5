import type { Sight } from '../alerts/alert.ts'

/** One promise to those who use an instance, and how it is measured. */
export interface Objective {
  /** The label `slo` of its series. */
  readonly id: string
  readonly title: string
  /** What is promised, for a reader who runs nothing. */
  readonly promise: string
  /** What of the instance is counted, and as what. */
  readonly measured: string
  /** The share of events that may be bad in 30 days. */
  readonly budget: number
  /** What an event is: `requests`, `payments`, or `of the time` where each evaluation is one. */
  readonly events: 'requests' | 'payments' | 'time'
  /** PromQL of bad events per second, or of 0 and 1 for time; `window` is a duration. */
  readonly bad: (window: string) => string
  /** PromQL of all events per second, or of 1 for time; absent where it is not known whether an event was bad. */
  readonly all: (window: string) => string
  readonly burn: Burn
}

/** The alert of an objective whose budget burns too fast. */
export interface Burn {
  readonly name: string
  readonly severity: 'critical' | 'warning'
  readonly summary: string
  /** What `$value`, the share of bad events, says in words. */
  readonly says: string
  /** Below so many events per second one failure says nothing; absent for time. */
  readonly leastPerSecond?: number
  readonly sight?: Sight
}

/** Days over which a budget is spent. */
export const BUDGET_DAYS = 30

/** Series that the rules record, each with a label `slo`. */
export const RECORDED = {
  bad: 'callboard:slo_bad:rate5m',
  all: 'callboard:slo_events:rate5m',
  budget: 'callboard:slo_budget:ratio',
  errors: 'callboard:slo_errors:ratio30d',
  left: 'callboard:slo_budget_left:ratio30d',
} as const

/**
 * The share of bad events over a window, as PromQL: of both recorded series, so that its cost does not grow with the
 * number of operations.
 * @param matchers such as `slo="reads"`
 */
export const shareOver = (window: string, matchers: string, by = ''): string => {
  const over = (metric: string) =>
    `sum${by === '' ? '' : ` by (${by}) `}(sum_over_time(${metric}${matchers === '' ? '' : `{${matchers}}`}[${window}]))`
  return `${over(RECORDED.bad)} / ${over(RECORDED.all)}`
}
