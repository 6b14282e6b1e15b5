import { DAY_MS } from '@callboard/values'

export const WEEK_MS = 7 * DAY_MS
/** The first Monday of the epoch. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The beginning of the UTC week, Monday to Sunday, that holds a moment. Calls of one week are judged together. */
export const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS

/** Calls are counted in spells of so long; the rule of bursts sees nothing shorter. */
export const SLOT_MS = 10 * 60_000
/** So many calls of one wallet to one seller in one spell are faster than a subscription. */
export const HURRIED_CALLS = 25
