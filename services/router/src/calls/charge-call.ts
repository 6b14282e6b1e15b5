import type { RouterContext } from '../context.ts'
import { type Charge, chargeFor, type Ending } from '../domain/settlement.ts'
import type { Answering, HeldCall } from './call.ts'

/**
 * What an ending of a call costs. Words that its upstream did not count are counted here, once: what its client is told and what is
 * charged are the same.
 */
export async function chargeOf(
  ctx: Pick<RouterContext, 'log' | 'resources'>,
  call: HeldCall,
  ending: Ending,
  answering?: Answering,
): Promise<Charge> {
  const { price, inputTokens, held, maxOutput, request } = call
  const { choices, images } = request
  const cancelled = answering?.upstream.cancelled ?? 'free'
  const isCounted = ending.kind === 'completed_without_usage' || (ending.kind === 'cancelled' && ending.seen > 0)
  const counted = isCounted ? await countedOf(ctx, call, ending.said) : undefined
  return chargeFor(ending, { price, inputTokens, images, held, cancelled, maxOutput, choices, counted })
}

/** Counts the words of a call; what cannot be counted is estimated by its length. */
async function countedOf(
  { log, resources }: Pick<RouterContext, 'log' | 'resources'>,
  { id, surface, body }: HeldCall,
  said?: readonly string[],
) {
  if (said === undefined) return undefined
  try {
    return await resources.tokens.count({ surface, body, said })
  } catch (error) {
    log.error({ err: error, callId: id }, 'the words of a call could not be counted')
    return undefined
  }
}
