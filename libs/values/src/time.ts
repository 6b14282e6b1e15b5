/** RFC 3339 in UTC with milliseconds, as in every timestamp of the public interface. */
export type IsoTime = string

export const isoTime = (epochMs: number): IsoTime => new Date(epochMs).toISOString()

/** Whole seconds since the epoch, rounded down: the unit of EIP-3009 windows and of block timestamps. */
export const unixSeconds = (epochMs: number): number => Math.floor(epochMs / 1000)

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
