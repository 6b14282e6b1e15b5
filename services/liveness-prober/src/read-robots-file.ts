import { redirectTarget } from './domain/finding.ts'
import { ALL_ALLOWED, NONE_ALLOWED, type Robots, readRobots, unreachable } from './domain/robots.ts'
import { type Fetched, type Guard, type GuardedOrigin, guardedOrigin } from './guarded-fetch/index.ts'

const READS = { status: 200, maxBytes: 512 * 1024 }
const MOST_REDIRECTS = 5

/**
 * Reads the robots.txt of an origin, over its connection while the URL is there. Up to five redirects are followed, to
 * other origins too, until they have taken as long as one request may; the final file holds for the origin asked.
 * @throws the signal's reason if the caller gave up
 * @source RFC 9309, 2.3.1
 */
export async function readRobotsFile(
  connection: GuardedOrigin,
  origin: string,
  guard: Guard,
  signal?: AbortSignal,
): Promise<Robots> {
  const startedAt = performance.now()
  let url = new URL('/robots.txt', origin)
  for (let redirects = 0; ; redirects += 1) {
    const fetched = await (url.origin === origin ? get(connection, url, signal) : getElsewhere(url, guard, signal))
    const next = fetched.ok && redirects < MOST_REDIRECTS ? redirectTarget(fetched, url) : undefined
    if (next === undefined) return said(fetched, url.origin === origin)
    if (performance.now() - startedAt > guard.totalTimeoutMs) return unreachable()
    url = new URL(next)
  }
}

const get = (connection: GuardedOrigin, url: URL, signal?: AbortSignal): Promise<Fetched> =>
  connection.fetch({ url, method: 'GET', reads: READS, headers: { accept: 'text/plain' } }, signal)

async function getElsewhere(url: URL, guard: Guard, signal?: AbortSignal): Promise<Fetched> {
  const connection = guardedOrigin(url, guard)
  try {
    return await get(connection, url, signal)
  } finally {
    await connection.close()
  }
}

/** @param isOwn whether a failure is the asked origin's own and so affects all of its resources */
function said(fetched: Fetched, isOwn: boolean): Robots {
  if (!fetched.ok) {
    if (fetched.failure === 'too_large') return NONE_ALLOWED
    return isOwn ? unreachable(fetched.failure) : unreachable()
  }
  if (fetched.status === 200) return readRobots(fetched.bodyText)
  return fetched.status >= 500 ? unreachable() : ALL_ALLOWED
}
