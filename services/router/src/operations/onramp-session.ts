import { BusFault } from '@callboard/bus'
import { type router, x402Facilitator } from '@callboard/contract'
import { DAY_MS, isoTime, isRefusal, refuse, SECOND_MS } from '@callboard/values'
import type { RouterHandler } from '../context.ts'
import type { OnrampOutcome } from '../metering.ts'
import { giveSessionBack, takeSession } from '../store/onramp.repository.ts'

const SENT =
  'This is a local chain: the faucet has sent the test USDC, which is worth nothing. There is nothing to pay.'

/**
 * A provider sells USDC on public chains; on the local one the facilitator, the only service that writes to chains,
 * gives test money. Sessions per day are limited for all callers together: each costs the provider, and its quota is
 * ours.
 */
export const onrampSession: RouterHandler<typeof router.onrampSession> = async (asked, ctx) => {
  const { config, clock, db, call, resources } = ctx
  const { wallet, network, amountUsd, redirectUrl } = asked
  if (redirectUrl !== undefined && new URL(redirectUrl).origin !== new URL(config.BASE_URL).origin)
    return refuse('invalid_request', { field: 'redirectUrl', message: 'It must be a page of this instance.' })
  const noted = (outcome: OnrampOutcome) => resources.metering.onrampSessions.inc({ outcome })
  const now = clock.now()
  const day = isoTime(now).slice(0, 10)
  if (!(await takeSession(db, day, config.ONRAMP_SESSIONS_PER_DAY))) {
    noted('limited')
    return refuse('rate_limited', {
      message: 'The daily limit of onramp sessions is reached.',
      retryAfterSeconds: Math.ceil((Date.parse(day) + DAY_MS - now) / SECOND_MS),
    })
  }
  const session = { wallet, network, amountUsd, createdAt: isoTime(now) }
  const { onramp } = resources
  if (onramp?.serves(network)) {
    const made = await onramp.create(asked)
    noted('failed' in made ? 'failed' : 'made')
    if ('failed' in made) return refuse('onramp_failed', { message: `The provider ${made.failed}` })
    return { ...session, ...made }
  }
  const given = await call(x402Facilitator.faucet, { network, wallet, amountUsd }).catch(async (error: unknown) => {
    noted('unavailable')
    // Without an answer the money may have been sent, and the session counts.
    if (error instanceof BusFault && error.retryable) await giveSessionBack(db, day)
    throw error
  })
  if (!isRefusal(given)) {
    noted('made')
    const { transaction } = given
    return { ...session, provider: 'devnet_faucet', onrampUrl: null, transaction, quote: null, message: SENT }
  }
  noted('unavailable')
  await giveSessionBack(db, day)
  if (given.refusal === 'temporarily_unavailable') return given
  if (onramp) return refuse('unsupported_network', { message: `The onramp provider sells no USDC on ${network}.` })
  return refuse('onramp_unavailable')
}
