import { isoTime } from '@callboard/values'
import type { Surface } from './surface.ts'

/** What is left of a key's rate per minute. */
export interface RateLeft {
  readonly limit: number
  readonly remaining: number
  /** Seconds until all of it is available again. */
  readonly resetSeconds: number
}

export interface KeyRates {
  readonly requests: RateLeft
  readonly tokens: RateLeft
}

type Headers = Record<string, string>
type Named = readonly [name: keyof KeyRates, left: RateLeft]

/**
 * The rate headers of a key, in the form of the surface's clients and in that of the IETF draft.
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

/** The draft's registry has no unit for tokens: the policy names one in its own parameter. */
const ietf = (named: readonly Named[]): Headers => ({
  'ratelimit-policy': named
    .map(([name, { limit }]) => `"${name}";q=${limit};w=60${name === 'tokens' ? ';qu="callboard-tokens"' : ''}`)
    .join(', '),
  ratelimit: named
    .map(([name, { remaining, resetSeconds }]) => `"${name}";r=${remaining};t=${resetSeconds}`)
    .join(', '),
})
