import { refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'

/** How soon counters that are unavailable are asked again. */
const COUNTERS_RETRY_SECONDS = 2

/** Takes one request of a key from its minute. @returns the refusal; undefined when it may go on */
export async function limitRequests({ config, counters, log }: RouterContext, keyId: string) {
  const perMinute = config.ROUTER_REQUESTS_PER_MINUTE
  try {
    const { allowed, retryAfterSeconds } = await counters.take(`router:requests:${keyId}`, {
      burst: perMinute,
      perMinute,
    })
    return allowed ? undefined : refuse('rate_limited', { retryAfterSeconds })
  } catch (error) {
    // What costs money is closed while nothing counts it.
    log.warn({ err: error }, 'the counters are unavailable')
    return refuse('temporarily_unavailable', { retryAfterSeconds: COUNTERS_RETRY_SECONDS })
  }
}
