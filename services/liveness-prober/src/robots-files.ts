import { HOUR_MS } from '@callboard/values'
import { ALL_ALLOWED, NONE_ALLOWED, type Robots, readRobots } from './domain/robots.ts'
import type { GuardedOrigin } from './guarded-fetch/index.ts'

/** RFC 9309 lets it be kept for a day; a mended one is to be seen sooner. */
const KEPT_MS = HOUR_MS
const MAX_KEPT = 2_000
const READS = { status: 200, maxBytes: 512 * 1024 }

/** What the robots.txt of origins say to us. */
export interface RobotsFiles {
  /**
   * That of an origin, read over its connection unless it was read within the hour.
   * @returns undefined where the origin cannot be reached, which a call of it will find as well
   * @throws the signal's reason when the caller gave up
   */
  of(connection: GuardedOrigin, url: URL, signal?: AbortSignal): Promise<Robots | undefined>
}

/** @param now a monotonic clock in ms */
export function robotsFiles(now: () => number = () => performance.now()): RobotsFiles {
  const kept = new Map<string, { readonly until: number; readonly robots: Robots }>()
  return {
    async of(connection, { origin }, signal) {
      const known = kept.get(origin)
      if (known && known.until > now()) return known.robots
      const url = new URL('/robots.txt', origin)
      const fetched = await connection.fetch(
        { url, method: 'GET', reads: READS, headers: { accept: 'text/plain' } },
        signal,
      )
      // One that is too long is none that could be kept to.
      if (!fetched.ok) return fetched.failure === 'too_large' ? NONE_ALLOWED : undefined
      const { status, bodyText } = fetched
      const robots = status === 200 ? readRobots(bodyText) : status >= 500 ? NONE_ALLOWED : ALL_ALLOWED
      kept.delete(origin)
      kept.set(origin, { until: now() + KEPT_MS, robots })
      const [oldest] = kept.keys()
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
      return robots
    },
  }
}
