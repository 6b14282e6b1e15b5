import { refuse } from '@callboard/values'
import { resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import type { Level } from '../store/levels.ts'

/** The levels by the names that clients know. */
export const LEVEL_NAMES: Readonly<Record<Level, 'owner' | 'agent' | 'key' | 'balance'>> = {
  ...{ owner: 'owner', link: 'agent', key: 'key', balance: 'balance', paid_in: 'balance' },
}

interface Exhausted {
  readonly limit: Level
  readonly left: bigint
  /** Held by other calls. */
  readonly inFlight: bigint
}

/** Money comes back at midnight or is bought: only what other calls hold is worth waiting for. */
export function exhausted({ limit, left, inFlight }: Exhausted, needed: bigint, now: number) {
  const name = LEVEL_NAMES[limit]
  return refuse('insufficient_quota', {
    message: `The ${name} limit has ${usdText(left)} USD left, which does not cover this call.`,
    details: {
      limit: name,
      remainingUsd: usdText(left),
      resetsAt: name === 'balance' ? null : resetsAt(now),
    },
    ...(left + inFlight >= needed ? { retryAfterSeconds: 1 } : {}),
  })
}
