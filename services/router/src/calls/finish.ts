import { setTimeout } from 'node:timers/promises'
import type { RouterContext } from '../context.ts'
import { promptTokens, tokensOf } from '../counting/count.ts'
import type { UpstreamEntry } from '../domain/model.ts'
import type { Receipt } from '../domain/receipt.ts'
import { chargeFor, type Ending } from '../domain/settlement.ts'
import type { Usage } from '../domain/usage.ts'
import { settle } from '../store/hold.repository.ts'
import type { Answering, HeldCall } from './call.ts'
import { correctTokens } from './key-rates.ts'

/** How long a settlement waits before it is tried again, in milliseconds; after the last the sweep releases the hold. */
const PAUSES_MS = [100, 500, 2_000, 5_000]
/** So many tokens of a kind are written down at most; a claim of more is charged as any other, and forgotten. */
const MOST_TOKENS = 2 ** 31 - 1

const canBeNoted = (usage: Usage) => Object.values(usage).every((tokens) => tokens <= MOST_TOKENS)

const usedTokens = (usage: Usage | undefined) => (usage ? usage.inputTokens + usage.outputTokens : 0)

/** What became of a call. */
export interface Finished {
  /** Nano-USD. */
  readonly cost: bigint
  /** Absent where the call was settled before, or could not be settled now. */
  readonly receipt?: Receipt
}

/** Settles a call, once: its hold is released and what it cost is charged, in one transaction. */
export async function finish(
  ctx: RouterContext,
  call: HeldCall,
  ending: Ending,
  answering?: Answering,
): Promise<Finished> {
  const { db, clock, log, resources } = ctx
  const { price, inputTokens, held, maxOutput, surface, request, rateHash, expectedTokens } = call
  const cancelled = answering?.upstream.cancelled ?? 'free'
  const { choices, images } = request
  const counted = await countedOf(ctx, call, ending, cancelled)
  const charge = chargeFor(ending, { price, inputTokens, images, held, cancelled, maxOutput, choices, counted })
  const { cost, usage, estimated } = charge
  const count = () => {
    resources.metering.calls.inc({ surface, ending: ending.kind })
    if (!charge.overclaimed) return
    resources.metering.overclaims.inc()
    log.error({ callId: call.id, upstream: answering?.upstream.name }, 'an upstream claimed more usage than can be')
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const receipt = await settle(db, call.id, {
        ...{ cost, estimated, ending: ending.kind, now: new Date(clock.now()) },
        ...(usage && canBeNoted(usage) ? { usage } : {}),
        ...(answering ? { upstream: answering.upstream.name } : {}),
      })
      if (!receipt) return { cost }
      count()
      await correctTokens(ctx, rateHash, { expected: expectedTokens, used: usedTokens(usage) })
      return { cost, receipt }
    } catch (error) {
      log.error({ err: error, callId: call.id, attempt }, 'a call could not be settled')
      const pause = PAUSES_MS[attempt - 1]
      if (pause === undefined) return { cost: 0n }
      await setTimeout(pause)
    }
  }
}

/** Counts the words of a call that its upstream did not count; what cannot be counted is estimated by its length. */
async function countedOf(
  { log }: RouterContext,
  { id, surface, body }: HeldCall,
  ending: Ending,
  cancelled: UpstreamEntry['cancelled'],
) {
  const isCounted = ending.kind === 'completed_without_usage' || (ending.kind === 'cancelled' && cancelled !== 'free')
  if (!isCounted || ending.said === undefined) return undefined
  try {
    const [inputTokens, outputTokens] = await Promise.all([promptTokens(surface, body), tokensOf(ending.said)])
    return { inputTokens, outputTokens }
  } catch (error) {
    log.error({ err: error, callId: id }, 'the words of a call could not be counted')
    return undefined
  }
}
