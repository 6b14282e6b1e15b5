import { type Refusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import type { KeyRates } from '../domain/rate-headers.ts'

/** How soon counters that are unavailable are asked again. */
const COUNTERS_RETRY_SECONDS = 2

type Counting = Pick<RouterContext, 'config' | 'counters' | 'log'>
type Limited = Refusal<'rate_limited' | 'temporarily_unavailable'>

/** A key as its rates know it: by its secret's hash, so that they are asked before anything is read of it. */
type KeyHash = Uint8Array

const nameOf = (rate: keyof KeyRates, keyHash: KeyHash) =>
  `router:${rate}:${Buffer.from(keyHash).toString('base64url')}`
const requestRate = ({ config }: Counting) => evenly(config.ROUTER_REQUESTS_PER_MINUTE)
const tokenRate = ({ config }: Counting) => evenly(config.ROUTER_TOKENS_PER_MINUTE)
const evenly = (perMinute: number) => ({ burst: perMinute, perMinute })

/** Takes one request of a key from its minute. @returns the refusal; undefined when it may go on */
export async function limitRequests(ctx: Counting, keyHash: KeyHash): Promise<Limited | undefined> {
  try {
    const { allowed, retryAfterSeconds } = await ctx.counters.take(nameOf('requests', keyHash), requestRate(ctx))
    return allowed ? undefined : tooFast(ctx, { retryAfterSeconds, by: 'requests' })
  } catch (error) {
    return closed(ctx, error)
  }
}

/**
 * Takes a request, and the tokens that it is expected to have, from its key's minute, in one trip; a call that expects more
 * than a minute has takes the whole of it.
 * @returns what is left, and the refusal where it may not go on
 */
export async function limitCall(
  ctx: Counting,
  keyHash: KeyHash,
  expectedTokens: number,
): Promise<{ readonly rates?: KeyRates; readonly refusal?: Limited }> {
  const { counters } = ctx
  const expected = Math.min(expectedTokens, ctx.config.ROUTER_TOKENS_PER_MINUTE)
  try {
    const [requests, tokens] = await Promise.all([
      counters.take(nameOf('requests', keyHash), requestRate(ctx)),
      counters.take(nameOf('tokens', keyHash), tokenRate(ctx), expected),
    ])
    const rates = { requests, tokens }
    if (requests.allowed && tokens.allowed) return { rates }
    if (tokens.allowed) await correctTokens(ctx, keyHash, { expected, used: 0 })
    const retryAfterSeconds = Math.max(requests.retryAfterSeconds, tokens.retryAfterSeconds)
    const by = requests.allowed ? 'tokens' : 'requests'
    return { rates, refusal: tooFast(ctx, { retryAfterSeconds, by }) }
  } catch (error) {
    return { refusal: closed(ctx, error) }
  }
}

/** Gives back what a call was expected to have and had not, and takes what it had beyond, as far as its minute goes. */
export async function correctTokens(
  ctx: Counting,
  keyHash: KeyHash,
  { expected, used }: { readonly expected: number; readonly used: number },
): Promise<void> {
  const { counters, config, log } = ctx
  const name = nameOf('tokens', keyHash)
  const beyond = used - Math.min(expected, config.ROUTER_TOKENS_PER_MINUTE)
  if (beyond === 0) return
  try {
    const { allowed, remaining } = await counters.take(name, tokenRate(ctx), beyond)
    if (!allowed && remaining > 0) await counters.take(name, tokenRate(ctx), remaining)
  } catch (error) {
    // Counters that are unavailable have forgotten what was taken.
    log.warn({ err: error }, 'the counters are unavailable')
  }
}

/** Clients of models show the message and no header: it says which rate is used up, and for how long. */
function tooFast({ config }: Counting, { retryAfterSeconds, by }: { retryAfterSeconds: number; by: keyof KeyRates }) {
  const rate = { requests: config.ROUTER_REQUESTS_PER_MINUTE, tokens: config.ROUTER_TOKENS_PER_MINUTE }[by]
  const message = `The key has used its ${rate} ${by} a minute; call again in ${retryAfterSeconds} s.`
  return refuse('rate_limited', { message, retryAfterSeconds })
}

/** What costs money is closed while nothing counts it. */
function closed({ log }: Counting, error: unknown): Limited {
  log.warn({ err: error }, 'the counters are unavailable')
  return refuse('temporarily_unavailable', { retryAfterSeconds: COUNTERS_RETRY_SECONDS })
}
