/** Where time comes from: handlers and rules take it as a value, so a test can hold it still. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
