import { type PresentedPayment, router, x402Facilitator } from '@callboard/contract'
import { type Address, isRefusal, MINUTE_MS } from '@callboard/values'
import type { RouterCallingContext } from '../context.ts'
import { nanoUsdOf } from '../domain/usd.ts'
import { noteAwaited, noteTopUp } from '../store/top-up.repository.ts'
import { creditTopUp } from './credit.ts'
import { presentedPayment } from './presented.ts'
import { FIRST_CHECK_MS } from './recheck-schedule.ts'

/** A note older than this is renewed by a repeat, well before the sweep gives it up. */
const RENEWED_MS = 30 * MINUTE_MS

/** A payment presented for a balance. */
export interface Buying {
  readonly payment: PresentedPayment
  /** The owner whose balance is credited, regardless of who pays. */
  readonly owner: Address
  readonly usd: string
  /** The Compute key that may spend it, if a call brought it. */
  readonly keyId: string | null
}

/**
 * A presented payment is recorded before the facilitator is asked, so that once settled it is credited whatever process
 * dies in between: by this call, by a repeat, or by the sweep.
 * @returns the settlement, and whether this call credited it; or the facilitator's refusal
 */
export async function buy(ctx: RouterCallingContext, { payment, owner, usd, keyId }: Buying) {
  const { db, clock } = ctx
  const amount = nanoUsdOf(usd)
  const { requestFingerprint: fingerprint } = payment
  const presented = presentedPayment(payment.payload)
  if (presented) {
    const { paymentKey, network } = presented
    const now = clock.now()
    const times = { now: new Date(now), dueAt: new Date(now + FIRST_CHECK_MS) }
    const noted = { paymentKey, network, fingerprint, owner, amount, keyId, ...times }
    await noteTopUp(db, noted, new Date(now - RENEWED_MS))
  }
  const asked = { operation: router.topUp.id, owner, description: router.topUp.summary, priceUsd: usd }
  const bought = await ctx.call(x402Facilitator.purchase, asked, { payment })
  if (isRefusal(bought)) {
    if (presented && bought.refusal === 'settlement_pending') {
      await noteAwaited(db, { paymentKey: presented.paymentKey, fingerprint })
    }
    return bought
  }
  const { paymentKey, settlement } = bought
  const { transaction } = settlement
  const isFirst = await creditTopUp(ctx, { paymentKey, fingerprint, owner, amount, keyId, transaction })
  return { settlement, isFirst }
}
