import { refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { resetsAt } from '../domain/day.ts'
import { usdText } from '../domain/usd.ts'
import type { Level } from '../store/levels.ts'

/** The limit names that clients know, by level. */
export const LEVEL_NAMES: Readonly<Record<Level, 'owner' | 'agent' | 'key' | 'balance'>> = {
  ...{ owner: 'owner', link: 'agent', key: 'key', balance: 'balance', paid_in: 'balance' },
}

type Name = (typeof LEVEL_NAMES)[Level]

const CALLED: Readonly<Record<Name, string>> = {
  owner: 'The owner’s Compute for today',
  agent: 'The agent’s daily limit',
  key: 'The key’s daily limit',
  balance: 'The balance',
}

interface Exhausted {
  readonly limit: Level
  readonly left: bigint
  /** Held by other calls. */
  readonly inFlight: bigint
}

/**
 * Money returns at midnight or is bought, so only what other calls hold is worth waiting for. Model clients show
 * nothing but the message, so it also says what to do.
 */
export function exhausted(
  { config, clock }: Pick<RouterContext, 'config' | 'clock'>,
  { limit, left, inFlight }: Exhausted,
  needed: bigint,
) {
  const name = LEVEL_NAMES[limit]
  const whole = name === 'balance' ? null : resetsAt(clock.now())
  const isHeld = left + inFlight >= needed
  const helps =
    whole === null
      ? `Top it up as described at ${new URL('/account/router', config.BASE_URL)}`
      : `It resets at ${whole}`
  const held = isHeld ? ' Calls in progress hold enough of it for this one.' : ''
  return refuse('insufficient_quota', {
    message: `${CALLED[name]} has ${usdText(left)} USD left, which does not cover this call.${held} ${helps}.`,
    details: { limit: name, remainingUsd: usdText(left), resetsAt: whole },
    ...(isHeld ? { retryAfterSeconds: 1 } : {}),
  })
}
