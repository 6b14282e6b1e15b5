import { setTimeout } from 'node:timers/promises'
import type { RouterContext } from '../context.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { Charge, Ending } from '../domain/settlement.ts'
import type { Usage } from '../domain/usage.ts'
import type { Answering, HeldCall } from './call.ts'
import { chargeOf } from './charge-call.ts'
import { correctTokens } from './key-rates.ts'

/** Pauses before a settlement is tried again, in milliseconds; after the last one the sweep releases the hold. */
const PAUSES_MS = [100, 500, 2_000, 5_000]
/** The most tokens of a kind that are recorded; a larger claim is charged like any other but not recorded. */
const MOST_TOKENS = 2 ** 31 - 1

const canBeNoted = (usage: Usage) => Object.values(usage).every((tokens) => tokens <= MOST_TOKENS)

const usedTokens = (usage: Usage | undefined) => (usage ? usage.inputTokens + usage.outputTokens : 0)

/** The result of settling a call. */
export interface Finished {
  /** Nano-USD. */
  readonly cost: bigint
  /** Absent if the call was already settled, or could not be settled now. */
  readonly receipt?: Receipt
}

/** Settles a call once: releases its hold and charges its cost, in one transaction. */
export async function finish(
  ctx: RouterContext,
  call: HeldCall,
  ending: Ending,
  answering?: Answering,
): Promise<Finished> {
  return settleCharge(ctx, call, { ending, answering, charge: await chargeOf(ctx, call, ending, answering) })
}

/** A call that has ended, and its charge. */
export interface Charged {
  readonly ending: Ending
  readonly charge: Charge
  readonly answering: Answering | undefined
}

/** Settles a call whose cost is known, once, like {@link finish}. */
export async function settleCharge(
  ctx: RouterContext,
  call: HeldCall,
  { ending, charge, answering }: Charged,
): Promise<Finished> {
  const { clock, log, resources } = ctx
  const { surface, rateHash, expectedTokens } = call
  const { cost, usage, estimated } = charge
  const count = () => {
    resources.metering.calls.inc({ surface, ending: ending.kind })
    if (answering && ending.kind === 'completed') void resources.claims.check(call, ending, answering.upstream.name)
    if (!charge.overclaimed) return
    resources.metering.overclaims.inc()
    log.error({ callId: call.id, upstream: answering?.upstream.name }, 'an upstream claimed more usage than can be')
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const receipt = await resources.batcher.settle(call.id, {
        ...{ cost, estimated, ending: ending.kind, now: new Date(clock.now()) },
        ...(usage && canBeNoted(usage) ? { usage } : {}),
        ...(answering ? { upstream: answering.upstream.name } : {}),
      })
      if (!receipt) return { cost }
      count()
      // Never rejects, and no answer waits for it.
      void correctTokens(ctx, rateHash, { expected: expectedTokens, used: usedTokens(usage) })
      return { cost, receipt }
    } catch (error) {
      log.error({ err: error, callId: call.id, attempt }, 'a call could not be settled')
      const pause = PAUSES_MS[attempt - 1]
      if (pause === undefined) return { cost: 0n }
      await setTimeout(pause)
    }
  }
}
