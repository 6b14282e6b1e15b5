import { DAY_MS } from '@callboard/values'

export const WEEK_MS = 7 * DAY_MS
/** The first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The start of the UTC week, Monday to Sunday, that contains a time. Calls of one week are judged together. */
export const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

/** The length of the slots in which calls are counted; the burst rule sees nothing shorter. */
export const SLOT_MS = 10 * 60_000
/** This many calls of one wallet to one seller in one slot are faster than a subscription. */
export const HURRIED_CALLS = 25
