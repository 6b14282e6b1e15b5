import { pause } from '@callboard/runtime'
import { SECOND_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { forbiddenBecause, isAllowed, type Robots } from './domain/robots.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** The share of the time for which a probe on demand waits that one visit stays with what is mirrored, however much of it is due. */
const SHARE_OF_WAIT = 2
/** Over a longer pause the origin is given back: its own robots.txt must not keep from it those who ask for a probe. */
const LONGEST_PAUSE_MS = SECOND_MS
/** The share of a lease that a pause may take. */
const SHARE_OF_LEASE = 4

/** How one visit calls endpoints whose providers asked for no probe: one after another, with pauses between them. */
export interface UnsolicitedCalls {
  /** Whether the visit has given what nobody asked for its time. */
  isOver(): boolean
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
  let begunAt: number | undefined
  let lastAt: number | undefined

  const restMs = () => {
    if (lastAt === undefined) return 0
    const asked = Math.max(config.PROBE_MIRROR_PAUSE_MS, robots?.delayMs ?? 0)
    return Math.max(0, Math.ceil(lastAt + Math.min(asked, config.PROBE_LEASE_MS / SHARE_OF_LEASE) - performance.now()))
  }
  const turn = async (signal: AbortSignal) => {
    begunAt ??= performance.now()
    if (lastAt !== undefined) {
      if (restMs() > LONGEST_PAUSE_MS) return false
      await pause(restMs(), signal)
    }
    lastAt = performance.now()
    return true
  }
  const mayRead = (url: URL) => !robots || isAllowed(robots, url)
  return {
    isOver: () => begunAt !== undefined && performance.now() - begunAt > config.PROBE_WAIT_MS / SHARE_OF_WAIT,
    async mayCall(url, signal) {
      begunAt ??= performance.now()
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
