import type { Clock } from '@callboard/values'

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  advance(ms: number): void
  set(epochMs: number): void
  /** Calls `moved` after each move, so that whoever sleeps until a time checks again. */
  onMove(moved: () => void): void
}

export function fakeClock(startMs = Date.now()): FakeClock {
  let now = startMs
  const listeners: (() => void)[] = []
  const move = (to: number) => {
    now = to
    for (const moved of listeners) moved()
  }
  return {
    now: () => now,
    advance: (ms) => move(now + ms),
    set: move,
    onMove: (moved) => void listeners.push(moved),
  }
}
