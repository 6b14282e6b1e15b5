import { HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { Robots } from './domain/robots.ts'
import type { Guard, GuardedOrigin } from './guarded-fetch/index.ts'
import { readRobotsFile } from './read-robots-file.ts'

/** RFC 9309 allows a day; a corrected file should be seen sooner. */
const KEPT_MS = HOUR_MS
/** An unreadable one is requested again sooner: most causes are short-lived. */
const UNREAD_KEPT_MS = 5 * MINUTE_MS
const MAX_KEPT = 2_000

/** What the robots.txt files of origins mean for us. */
export interface RobotsFiles {
  /**
   * The file of an origin, read over its connection unless it was read within the hour.
   * @throws the signal's reason if the caller gave up
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
