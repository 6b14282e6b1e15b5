import type { Clock } from '@callboard/values'

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  advance(ms: number): void
  set(epochMs: number): void
}

export function fakeClock(startMs = Date.now()): FakeClock {
  let now = startMs
  return {
    now: () => now,
    advance: (ms) => {
      now += ms
    },
    set: (epochMs) => {
      now = epochMs
    },
  }
}
