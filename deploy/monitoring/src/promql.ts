/** How often a counter counts, over all processes, as PromQL; Grafana chooses the interval. */
export const perSecond = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`

/** Of a histogram, over all processes; over all labels where `by` is empty. @param share 0.95 is the 95th percentile */
export const quantile = (share: number, histogram: string, by: string, matchers = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket${matchers === '' ? '' : `{${matchers}}`}[$__rate_interval])))`

/** As `perSecond`, without telling labels apart. */
export const total = (metric: string): string => `sum(rate(${metric}[$__rate_interval]))`

/** What was counted of some: a zero where others were, and no data where none was. Both of `total`. */
export const someOf = (some: string, all: string): string => `(${some} or 0 * ${all})`
