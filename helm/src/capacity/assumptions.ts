/** Figures that no measurement gives: the load that the page assumes, and prices. Each is shown on the page. */

const MINUTE_S = 60
const HOUR_S = 3_600
export const DAY_S = 86_400
export const WEEK_S = 7 * DAY_S

/** Per second, in the busiest hour of a weekday. */
export const PEAK = { searches: 2_000, payments: 200, modelCalls: 60 } as const
/** A streamed answer: its duration, and its pieces per second. */
export const STREAM = { seconds: 25, pieces: 50 } as const
export const LISTINGS = 200_000
/** The visited origins, and how often. */
export const ORIGINS = [
  { kind: 'listed', origins: 4_000, everySeconds: 5 * MINUTE_S },
  { kind: 'mirrored', origins: 30_000, everySeconds: 6 * HOUR_S },
] as const
/** How long a visit of an origin with all of its endpoints takes. */
export const VISIT_SECONDS = 1.5
export const CHAINS = [
  { network: 'eip155:8453', blockSeconds: 2 },
  { network: 'eip155:5042', blockSeconds: 1 },
] as const

/** Until a requested pod is ready: scheduled, its image pulled, its index read. */
export const START_SECONDS = 45
/** The age of a metric when the autoscaler reads it: scraped every 15 s, then queried by the adapter. */
export const MEASURE_AGE_SECONDS = 30
/** The controller's interval. */
export const LOOK_SECONDS = 15

/** USD, at typical cloud prices for machines by the hour. */
export const PRICES = { coreHour: 0.04, gibHour: 0.005 } as const

/** Incidents of the week. */
export const INCIDENTS = {
  /** Tuesday, 12:00 for twenty minutes: four times the load of every kind. */
  rush: { from: DAY_S + 12 * HOUR_S, to: DAY_S + 12 * HOUR_S + 20 * MINUTE_S, times: 4 },
  /** Thursday, 10:00 for two hours: sellers take this many seconds per visit. */
  slowSellers: { from: 3 * DAY_S + 10 * HOUR_S, to: 3 * DAY_S + 12 * HOUR_S, visitSeconds: 10 },
  /** Friday, 09:00: the second chain is read again from thirty days back. */
  history: { at: 4 * DAY_S + 9 * HOUR_S, days: 30 },
} as const

const NIGHT = 0.25
const WEEKEND = 0.6

/** Share of the peak at a second of the week, which starts on Monday at 00:00: days peak at 15:00, less at weekends. */
export function shareAt(second: number): number {
  const hour = (second % DAY_S) / HOUR_S
  const day = NIGHT + (1 - NIGHT) * Math.max(0, Math.sin((Math.PI * (hour - 6)) / 18))
  const { from, to, times } = INCIDENTS.rush
  const rush = second >= from && second < to ? times : 1
  return day * rush * (second >= 5 * DAY_S ? WEEKEND : 1)
}
