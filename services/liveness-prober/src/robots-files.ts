import { HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { Robots } from './domain/robots.ts'
import type { Guard, GuardedOrigin } from './guarded-fetch/index.ts'
import { readRobotsFile } from './read-robots-file.ts'

/** RFC 9309 lets it be kept for a day; a mended one is to be seen sooner. */
const KEPT_MS = HOUR_MS
/** One that could not be read is asked for again sooner: what keeps from it is over soon, most of the time. */
const UNREAD_KEPT_MS = 5 * MINUTE_MS
const MAX_KEPT = 2_000

/** What the robots.txt of origins say to us. */
export interface RobotsFiles {
  /**
   * That of an origin, read over its connection unless it was read within the hour.
   * @throws the signal's reason when the caller gave up
   */
  of(connection: GuardedOrigin, url: URL, signal?: AbortSignal): Promise<Robots>
}

/** @param now a monotonic clock in ms */
export function robotsFiles(guard: Guard, now: () => number = () => performance.now()): RobotsFiles {
  const kept = new Map<string, { readonly until: number; readonly robots: Robots }>()
  return {
    async of(connection, { origin }, signal) {
      const known = kept.get(origin)
      if (known && known.until > now()) return known.robots
      const robots = await readRobotsFile(connection, origin, guard, signal)
      kept.delete(origin)
      kept.set(origin, { until: now() + (robots.unread ? UNREAD_KEPT_MS : KEPT_MS), robots })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      return robots
    },
  }
}
