import { randomUUID } from 'node:crypto'
import { MINUTE_MS, type Refusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { longestFor } from '../domain/call-bounds.ts'
import { computeLimit, leftOfPaidIn } from '../spending.ts'
import { findBalance } from '../store/balance.repository.ts'
import type { Held } from '../store/hold.repository.ts'
import { ensureWallet, type RouterKey } from '../store/key.repository.ts'
import { newWallet } from '../wallets/wallet-key.ts'
import type { HeldCall } from './call.ts'
import { exhausted } from './exhausted.ts'
import { noteRefusal } from './note-refusal.ts'
import type { PreparedCall } from './prepare.ts'

/** Longer than any call can take; an older hold belongs to a process that died. */
const HOLD_MS = 11 * MINUTE_MS

export type HoldOutcome =
  | { readonly kind: 'held'; readonly call: HeldCall; readonly key: RouterKey }
  | { readonly kind: 'refused'; readonly refusal: Refusal<'unauthorized' | 'rate_limited'> }
  | {
      readonly kind: 'exhausted'
      readonly refusal: Refusal<'insufficient_quota'>
      /** Absent for a wallet that has never bought a balance. */
      readonly key?: RouterKey
      /** What a payment would have to add, in nano-USD. Undefined where no payment helps. */
      readonly needed: bigint | undefined
    }

/** Holds a call's maximum cost against whatever pays for it, or says why that is impossible. */
export async function holdCall(ctx: RouterContext, prepared: PreparedCall): Promise<HoldOutcome> {
  const { bounds, headers, request, body, surface, model, payer } = prepared
  const { price, inputTokens, mediaTokens, longest, least, expectedTokens } = bounds
  const id = randomUUID()
  const held = await heldOf(ctx, prepared, id)
  switch (held.kind) {
    case 'no_key':
      return payer.wallet ? nothingBought(ctx, least) : { kind: 'refused', refusal: refuse('unauthorized') }
    case 'busy': {
      const message = `The key already has ${ctx.config.ROUTER_CONCURRENCY} calls in progress, which is its limit.`
      return { kind: 'refused', refusal: refuse('rate_limited', { message, retryAfterSeconds: 1, headers }) }
    }
    case 'refused': {
      const { limit, left, inFlight, key, paidInLeft, isKeySpent } = held
      const level = { limit, left, inFlight }
      noteRefusal(ctx, {
        keyId: key.id,
        at: new Date(ctx.clock.now()),
        model: model.id,
        surface,
        asked: least,
        ...level,
      })
      const there = key.source === 'balance' ? left : leftOfPaidIn(paidInLeft, await findBalance(ctx.db, key.owner))
      const needed = isKeySpent ? undefined : least - there
      return { kind: 'exhausted', key, needed, refusal: exhausted(ctx, held, least) }
    }
    case 'held': {
      const { amount, key } = held
      const maxOutput = longestFor(amount, bounds, request)
      const call: HeldCall = {
        ...{ id, keyId: key.id, rateHash: payer.rateHash, surface, request, body },
        ...{ price, inputTokens, mediaTokens, expectedTokens, headers },
        ...{ maxOutput, capped: maxOutput < longest, held: amount },
      }
      return { kind: 'held', call, key }
    }
  }
}

/** Holds Compute first, then what the key's own calls paid in; registers a wallet that bought its balance elsewhere. */
async function heldOf(ctx: RouterContext, prepared: PreparedCall, callId: string): Promise<Held> {
  const { db, clock, config, resources } = ctx
  const { batcher } = resources
  const { bounds, surface, model, payer } = prepared
  const { least, most, price } = bounds
  const now = clock.now()
  const asked = {
    ...{ callId, keyHash: payer.keyHash, least, most, model: model.id, surface, priceVersion: price.version },
    ownerLimit: computeLimit(ctx),
    concurrency: config.ROUTER_CONCURRENCY,
    now: new Date(now),
    expiresAt: new Date(now + HOLD_MS),
  }
  const held = await batcher.hold(asked)
  if (held.kind === 'no_key' && payer.wallet && (await findBalance(db, payer.wallet))) {
    const wallet = newWallet(payer.wallet, now)
    await db.transaction().execute((tx) => ensureWallet(tx, wallet))
    return batcher.hold(asked)
  }
  if (held.kind !== 'refused' || held.paidInLeft < least || held.key.source === 'balance') return held
  const ofPaidIn = await batcher.hold({ ...asked, fromPaidIn: true })
  return ofPaidIn.kind === 'refused' ? held : ofPaidIn
}

/** The refusal for a wallet without a balance, and for a caller that brings no credentials. */
export function nothingBought(ctx: Pick<RouterContext, 'config' | 'clock'>, least: bigint) {
  const refusal = exhausted(ctx, { limit: 'balance', left: 0n, inFlight: 0n }, least)
  return { kind: 'exhausted', needed: least, refusal } as const
}
