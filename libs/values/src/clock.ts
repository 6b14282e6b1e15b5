/** The source of time: handlers and rules take it as a value, so that a test can freeze it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
