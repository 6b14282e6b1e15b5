import { pause } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { forbiddenBecause, isAllowed, type Robots } from './domain/robots.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** Over a longer pause the origin is given back: its own robots.txt must not keep from it those who ask for a probe. */
const LONGEST_PAUSE_MS = SECOND_MS
/** The longest pause, whatever a robots.txt asks for. */
const LONGEST_REST_MS = 15 * SECOND_MS

/** How one visit calls endpoints whose providers asked for no probe: one after another, with pauses between them. */
export interface UnsolicitedCalls {
  /**
   * Waits until a mirrored resource may be called; ends early when the signal aborts.
   * @returns why it may not be called, as far as robots.txt of its origin says; undefined where its turn comes in a later visit
   */
  mayCall(url: URL, signal: AbortSignal): Promise<true | ReturnType<typeof forbiddenBecause>>
  /** Whether robots.txt, which `mayCall` has read, lets a document beside the resource be read, without a pause. */
  mayRead(url: URL): boolean
  /**
   * Waits until the pause after the last one has passed; ends early when the signal aborts.
   * @returns false where the pause is too long for one visit
   */
  turn(signal: AbortSignal): Promise<boolean>
  /** Notes that one is over: pauses begin then, so that an endpoint that is slow is not called the more. */
  ended(): void
  /** How long the origin is to be left alone when the visit ends, in ms: the next visit knows nothing of this one. */
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
