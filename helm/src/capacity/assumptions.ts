/** What no measurement says: the load that the page is about, and prices. Each stands on the page. */

const MINUTE_S = 60
const HOUR_S = 3_600
export const DAY_S = 86_400
export const WEEK_S = 7 * DAY_S

/** At the busiest hour of a weekday, each a second. */
export const PEAK = { searches: 2_000, payments: 200, modelCalls: 60 } as const
/** A streamed answer: so long, in so many pieces a second. */
export const STREAM = { seconds: 25, pieces: 50 } as const
export const LISTINGS = 200_000
/** Origins that are visited, and how often. */
export const ORIGINS = [
  { kind: 'listed', origins: 4_000, everySeconds: 5 * MINUTE_S },
  { kind: 'mirrored', origins: 30_000, everySeconds: 6 * HOUR_S },
] as const
/** How long a visit of an origin takes, all of its endpoints. */
export const VISIT_SECONDS = 1.5
export const CHAINS = [
  { network: 'eip155:8453', blockSeconds: 2 },
  { network: 'eip155:5042', blockSeconds: 1 },
] as const

/** Until a pod that is asked for is ready: scheduled, its image there, its index read. */
export const START_SECONDS = 45
/** A measure is so old when the autoscaler sees it: scraped every 15 s, asked for by the adapter. */
export const MEASURE_AGE_SECONDS = 30
/** As the controller looks. */
export const LOOK_SECONDS = 15

/** USD, as clouds ask for machines by the hour. */
export const PRICES = { coreHour: 0.04, gibHour: 0.005 } as const

/** What the week has beside its days. */
export const INCIDENTS = {
  /** Tuesday, 12:00 for twenty minutes: four times the load of every kind. */
  rush: { from: DAY_S + 12 * HOUR_S, to: DAY_S + 12 * HOUR_S + 20 * MINUTE_S, times: 4 },
  /** Thursday, 10:00 for two hours: sellers take so many seconds for a visit. */
  slowSellers: { from: 3 * DAY_S + 10 * HOUR_S, to: 3 * DAY_S + 12 * HOUR_S, visitSeconds: 10 },
  /** Friday, 09:00: the second chain is read anew from thirty days back. */
  history: { at: 4 * DAY_S + 9 * HOUR_S, days: 30 },
} as const

const NIGHT = 0.25
const WEEKEND = 0.6

/** Share of the peak at a second of the week, which begins on Monday at 00:00: a day that is busiest at 15:00, and a weekend. */
export function shareAt(second: number): number {
  const hour = (second % DAY_S) / HOUR_S
  const day = NIGHT + (1 - NIGHT) * Math.max(0, Math.sin((Math.PI * (hour - 6)) / 18))
  const { from, to, times } = INCIDENTS.rush
  const rush = second >= from && second < to ? times : 1
  return day * rush * (second >= 5 * DAY_S ? WEEKEND : 1)
}
