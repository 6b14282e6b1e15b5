import { DAY_MS, isoTime } from '@callboard/values'

/** The UTC day of a time, as YYYY-MM-DD. */
export const dayOf = (ms: number): string => isoTime(ms).slice(0, 10)

/** The number of a UTC day, 1970-01-01 being 0: the epoch of allowances. */
export const epochOf = (ms: number): number => Math.floor(ms / DAY_MS)

/** When the day of a given time ends and daily limits reset. */
export const resetsAt = (ms: number): string => isoTime((epochOf(ms) + 1) * DAY_MS)
