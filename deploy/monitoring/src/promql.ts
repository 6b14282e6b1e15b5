/** A counter's rate over all processes, as PromQL; Grafana sets the interval. */
export const perSecond = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`

/** A histogram's quantile over all processes, and all labels if `by` is empty. @param share 0.95: 95th percentile */
export const quantile = (share: number, histogram: string, by: string, matchers = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket${matchers === '' ? '' : `{${matchers}}`}[$__rate_interval])))`

/** Like `perSecond`, without distinguishing labels. */
export const total = (metric: string): string => `sum(rate(${metric}[$__rate_interval]))`

/** The rate of a subset: zero where only others were counted, and no data where none were. Both from `total`. */
export const someOf = (some: string, all: string): string => `(${some} or 0 * ${all})`
