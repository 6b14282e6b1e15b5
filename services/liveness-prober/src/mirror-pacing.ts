import { pause } from '@callboard/runtime'
import { MINUTE_MS } from '@callboard/values'
import type { ProberContext } from './context.ts'
import { isAllowed, type Robots } from './domain/robots.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** So long one visit stays with what is mirrored, however much of it is due: others wait for the origin too. */
const LONGEST_MS = MINUTE_MS
/** The share of a lease that a pause may take; what is left of it covers the requests around it. */
const SHARE_OF_LEASE = 4

/** How the mirrored resources of one visit are called: as its origin's robots.txt allows, one after another, with pauses. */
export interface MirrorPacing {
  /** Whether the visit has given them its time. */
  isOver(): boolean
  /** Waits before the next one, and before the first until its robots.txt is read; ends early when the signal aborts. */
  pause(url: URL, signal: AbortSignal): Promise<void>
  /** Whether one may be called. */
  allows(url: URL): boolean
}

export function mirrorPacing({ config, resources }: ProberContext, origin: GuardedOrigin): MirrorPacing {
  let robots: Robots | undefined
  let begunAt: number | undefined
  return {
    isOver: () => begunAt !== undefined && performance.now() - begunAt > LONGEST_MS,
    async pause(url, signal) {
      if (begunAt === undefined) {
        begunAt = performance.now()
        robots = await resources.robots.of(origin, url, signal)
        return
      }
      const asked = Math.max(config.PROBE_MIRROR_PAUSE_MS, robots?.delayMs ?? 0)
      await pause(Math.min(asked, config.PROBE_LEASE_MS / SHARE_OF_LEASE), signal)
    },
    allows: (url) => !robots || isAllowed(robots, url),
  }
}
