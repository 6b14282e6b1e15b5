import { refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'

/** How soon counters that are unavailable are asked again. */
const COUNTERS_RETRY_SECONDS = 2

type Counting = Pick<RouterContext, 'config' | 'counters' | 'log'>

/** Takes one request of a key from its minute. @returns the refusal; undefined when it may go on */
export const limitRequests = (ctx: Counting, keyId: string) =>
  limit(ctx, { name: `router:requests:${keyId}`, perMinute: ctx.config.ROUTER_REQUESTS_PER_MINUTE, cost: 1 })

/**
 * Takes the tokens that a call is expected to have from its key's minute; a call of more than that is given the whole of it.
 * @returns the refusal; undefined when it may go on
 */
export const limitTokens = (ctx: Counting, keyId: string, tokens: number) =>
  limit(ctx, {
    name: `router:tokens:${keyId}`,
    perMinute: ctx.config.ROUTER_TOKENS_PER_MINUTE,
    cost: Math.min(tokens, ctx.config.ROUTER_TOKENS_PER_MINUTE),
  })

/** Gives back what a call was expected to have and had not; counters that are unavailable have forgotten it anyway. */
export async function correctTokens(
  { config, counters, log }: Counting,
  keyId: string,
  { expected, used }: { readonly expected: number; readonly used: number },
): Promise<void> {
  const perMinute = config.ROUTER_TOKENS_PER_MINUTE
  const back = Math.min(expected, perMinute) - used
  if (back <= 0) return
  try {
    await counters.take(`router:tokens:${keyId}`, { burst: perMinute, perMinute }, -back)
  } catch (error) {
    log.warn({ err: error }, 'the counters are unavailable')
  }
}

interface Limit {
  readonly name: string
  readonly perMinute: number
  readonly cost: number
}

async function limit({ counters, log }: Counting, { name, perMinute, cost }: Limit) {
  try {
    const { allowed, retryAfterSeconds } = await counters.take(name, { burst: perMinute, perMinute }, cost)
    return allowed ? undefined : refuse('rate_limited', { retryAfterSeconds })
  } catch (error) {
    // What costs money is closed while nothing counts it.
    log.warn({ err: error }, 'the counters are unavailable')
    return refuse('temporarily_unavailable', { retryAfterSeconds: COUNTERS_RETRY_SECONDS })
  }
}
