import { pause } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { forbiddenBecause, isAllowed, type Robots } from './domain/robots.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** For a longer pause the origin is given back: its robots.txt must not block those who ask for a probe. */
const LONGEST_PAUSE_MS = SECOND_MS
/** The longest pause, even if a robots.txt asks for more. */
const LONGEST_REST_MS = 15 * SECOND_MS

/** How one visit calls endpoints whose providers asked for no probe: one after another, with pauses in between. */
export interface UnsolicitedCalls {
  /**
   * Waits until a mirrored resource may be called; ends early when the signal aborts.
   * @returns why the robots.txt of its origin forbids the call; undefined if its turn comes in a later visit
   */
  mayCall(url: URL, signal: AbortSignal): Promise<true | ReturnType<typeof forbiddenBecause>>
  /** Whether the robots.txt read by `mayCall` allows reading another document of the origin; needs no pause. */
  mayRead(url: URL): boolean
  /**
   * Waits until the pause after the last call has passed; ends early when the signal aborts.
   * @returns false if the pause is too long for one visit
   */
  turn(signal: AbortSignal): Promise<boolean>
  /** Notes the end of a call: pauses begin then, so that a slow endpoint is not called more often. */
  ended(): void
  /** How long the origin is to be left alone after the visit, in ms: the next visit knows nothing of this one. */
  restMs(): number
}

export function unsolicitedCalls({ config, resources }: ProberContext, origin: GuardedOrigin): UnsolicitedCalls {
  let robots: Robots | undefined
  let lastAt: number | undefined

  const restMs = () => {
    if (lastAt === undefined) return 0
    const asked = Math.max(config.PROBE_MIRROR_PAUSE_MS, robots?.delayMs ?? 0)
    return Math.max(0, Math.ceil(lastAt + Math.min(asked, LONGEST_REST_MS) - performance.now()))
  }
  const turn = async (signal: AbortSignal) => {
    if (lastAt !== undefined) {
      if (restMs() > LONGEST_PAUSE_MS) return false
      await pause(restMs(), signal)
    }
    lastAt = performance.now()
    return true
  }
  const mayRead = (url: URL) => !robots || isAllowed(robots, url)
  return {
    async mayCall(url, signal) {
      robots ??= await resources.robots.of(origin, url, signal)
      const because = forbiddenBecause(robots, url)
      if (because) return because
      return (await turn(signal)) ? true : undefined
    },
    mayRead,
    turn,
    ended() {
      lastAt = performance.now()
    },
    restMs,
  }
}
