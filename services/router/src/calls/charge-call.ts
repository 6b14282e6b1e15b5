import type { RouterContext } from '../context.ts'
import { promptTokens, tokensOf } from '../counting/count.ts'
import { type Charge, chargeFor, type Ending } from '../domain/settlement.ts'
import type { Answering, HeldCall } from './call.ts'

/**
 * What an ending of a call costs. Words that its upstream did not count are counted here, once: what its client is told and what is
 * charged are the same.
 */
export async function chargeOf(
  { log }: Pick<RouterContext, 'log'>,
  call: HeldCall,
  ending: Ending,
  answering?: Answering,
): Promise<Charge> {
  const { price, inputTokens, held, maxOutput, request } = call
  const { choices, images } = request
  const cancelled = answering?.upstream.cancelled ?? 'free'
  const isCounted = ending.kind === 'completed_without_usage' || (ending.kind === 'cancelled' && cancelled !== 'free')
  const counted = isCounted ? await countedOf(log, call, ending.said) : undefined
  return chargeFor(ending, { price, inputTokens, images, held, cancelled, maxOutput, choices, counted })
}

/** Counts the words of a call; what cannot be counted is estimated by its length. */
async function countedOf(log: RouterContext['log'], { id, surface, body }: HeldCall, said?: readonly string[]) {
  if (said === undefined) return undefined
  try {
    const [inputTokens, outputTokens] = await Promise.all([promptTokens(surface, body), tokensOf(said)])
    return { inputTokens, outputTokens }
  } catch (error) {
    log.error({ err: error, callId: id }, 'the words of a call could not be counted')
    return undefined
  }
}
