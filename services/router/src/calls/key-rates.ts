import type { Rate } from '@callboard/store'
import { type Refusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import type { KeyRates } from '../domain/rate-headers.ts'

/** When a client may retry while the counters are unavailable. */
const COUNTERS_RETRY_SECONDS = 2

type Counting = Pick<RouterContext, 'config' | 'counters' | 'log'>
type Limited = Refusal<'rate_limited' | 'temporarily_unavailable'>

/** Rates identify a key by the hash of its secret, so they can be checked before the key is read. */
type KeyHash = Uint8Array

const nameOf = (rate: keyof KeyRates, keyHash: KeyHash) =>
  `router:${rate}:${Buffer.from(keyHash).toString('base64url')}`
const requestRate = ({ config }: Counting) => evenly(config.ROUTER_REQUESTS_PER_MINUTE)
const tokenRate = ({ config }: Counting) => evenly(config.ROUTER_TOKENS_PER_MINUTE)
const evenly = (perMinute: number) => ({ burst: perMinute, perMinute })

/** Takes one request from a key's rate per minute. @returns the refusal; undefined when the request may proceed */
export async function limitRequests(ctx: Counting, keyHash: KeyHash): Promise<Limited | undefined> {
  try {
    const { allowed, retryAfterSeconds } = await ctx.counters.take(nameOf('requests', keyHash), requestRate(ctx))
    return allowed ? undefined : tooFast(ctx, { retryAfterSeconds, by: 'requests' })
  } catch (error) {
    return closed(ctx, error)
  }
}

/**
 * Takes a request and its expected tokens from its key's rates, in one trip; a call that expects more tokens than a
 * minute allows takes the whole minute.
 * @returns what is left, and the refusal if the call may not proceed
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

/** Returns tokens that a call was expected to use and did not, or takes those beyond, as far as the minute allows. */
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
    // Counters that are unavailable have lost what was taken.
    log.warn({ err: error }, 'the counters are unavailable')
  }
}

/** Takes from a new key's rates what those of keys that it replaces lack. */
export async function passRatesOn(ctx: Counting, replaced: readonly KeyHash[], keyHash: KeyHash): Promise<void> {
  const { counters, log } = ctx
  const passOn = async (rate: keyof KeyRates, limit: Rate) => {
    const next = await Promise.all(replaced.map((hash) => counters.peek(nameOf(rate, hash), limit)))
    const left = next.map(({ allowed, remaining }) => (allowed ? remaining + 1 : 0))
    const lacking = limit.burst - Math.min(limit.burst, ...left)
    if (lacking > 0) await counters.take(nameOf(rate, keyHash), limit, lacking)
  }
  try {
    await Promise.all([passOn('requests', requestRate(ctx)), passOn('tokens', tokenRate(ctx))])
  } catch (error) {
    // Counters that are unavailable have lost what was taken.
    log.warn({ err: error }, 'the counters are unavailable')
  }
}

/** Model clients show the message and no headers, so it says which rate is used up and for how long. */
function tooFast({ config }: Counting, { retryAfterSeconds, by }: { retryAfterSeconds: number; by: keyof KeyRates }) {
  const rate = { requests: config.ROUTER_REQUESTS_PER_MINUTE, tokens: config.ROUTER_TOKENS_PER_MINUTE }[by]
  const message = `The key has used its ${rate} ${by} per minute. Call again in ${retryAfterSeconds} s.`
  return refuse('rate_limited', { message, retryAfterSeconds })
}

/** Anything that costs money is refused while nothing counts it. */
function closed({ log }: Counting, error: unknown): Limited {
  log.warn({ err: error }, 'the counters are unavailable')
  return refuse('temporarily_unavailable', { retryAfterSeconds: COUNTERS_RETRY_SECONDS })
}
