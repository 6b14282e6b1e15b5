import { isoTime } from '@callboard/values'
import type { Surface } from './surface.ts'

/** What a key's minute has left. */
export interface RateLeft {
  readonly limit: number
  readonly remaining: number
  /** Seconds until all of it is there again. */
  readonly resetSeconds: number
}

export interface KeyRates {
  readonly requests: RateLeft
  readonly tokens: RateLeft
}

type Headers = Record<string, string>
type Named = readonly [name: keyof KeyRates, left: RateLeft]

/**
 * The rates of a key as the clients of a surface read them, and as the IETF writes them.
 * @source OpenAI and Anthropic, rate limit headers; draft-ietf-httpapi-ratelimit-headers
 */
export function rateHeaders(surface: Surface, { requests, tokens }: KeyRates, now: number): Headers {
  const named: Named[] = [
    ['requests', requests],
    ['tokens', tokens],
  ]
  const theirs = surface === 'messages' ? anthropic(named, now) : openai(named)
  return { ...theirs, ...ietf(named) }
}

const openai = (named: readonly Named[]): Headers =>
  Object.assign(
    {},
    ...named.map(([name, { limit, remaining, resetSeconds }]) => ({
      [`x-ratelimit-limit-${name}`]: String(limit),
      [`x-ratelimit-remaining-${name}`]: String(remaining),
      [`x-ratelimit-reset-${name}`]: `${resetSeconds}s`,
    })),
  )

const anthropic = (named: readonly Named[], now: number): Headers =>
  Object.assign(
    {},
    ...named.map(([name, { limit, remaining, resetSeconds }]) => ({
      [`anthropic-ratelimit-${name}-limit`]: String(limit),
      [`anthropic-ratelimit-${name}-remaining`]: String(remaining),
      [`anthropic-ratelimit-${name}-reset`]: isoTime(now + resetSeconds * 1_000),
    })),
  )

/** No unit of the draft's registry is a token: the policy says it in a parameter of its own. */
const ietf = (named: readonly Named[]): Headers => ({
  'ratelimit-policy': named
    .map(([name, { limit }]) => `"${name}";q=${limit};w=60${name === 'tokens' ? ';qu="callboard-tokens"' : ''}`)
    .join(', '),
  ratelimit: named
    .map(([name, { remaining, resetSeconds }]) => `"${name}";r=${remaining};t=${resetSeconds}`)
    .join(', '),
})
