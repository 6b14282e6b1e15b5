/** How often a counter counts, over all processes, as PromQL; Grafana chooses the interval. */
export const perSecond = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`

/** Of a histogram, over all processes. @param share 0.95 is the 95th percentile */
export const quantile = (share: number, histogram: string, by: string): string =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${histogram}_bucket[$__rate_interval])))`

/** As `perSecond`, without telling labels apart. */
export const total = (metric: string): string => `sum(rate(${metric}[$__rate_interval]))`
