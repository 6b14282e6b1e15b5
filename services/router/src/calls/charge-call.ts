import type { RouterContext } from '../context.ts'
import { type Charge, chargeFor, type Ending, isUncounted } from '../domain/settlement.ts'
import type { Answering, HeldCall } from './call.ts'

/**
 * The charge for an ending of a call. Words that the upstream did not count are counted here, once, so that the client
 * is told exactly what is charged.
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
  const counted = isCounted(ending) ? await countedOf(ctx, call, ending.said) : undefined
  return chargeFor(ending, { price, inputTokens, images, held, cancelled, maxOutput, choices, counted })
}

/** Whether words are counted for a charge. */
function isCounted(ending: Ending): ending is Exclude<Ending, { kind: 'broken' | 'failed_before_output' | 'lost' }> {
  if (ending.kind === 'completed') return isUncounted(ending.usage, ending.said)
  return ending.kind === 'completed_without_usage' || (ending.kind === 'cancelled' && ending.seen > 0)
}

/** Counts the words of a call and adds its images and files; if counting fails, all is estimated by length. */
async function countedOf(
  { log, resources }: Pick<RouterContext, 'log' | 'resources'>,
  { id, surface, body, mediaTokens }: HeldCall,
  said?: readonly string[],
) {
  if (said === undefined) return undefined
  try {
    const { inputTokens, outputTokens } = await resources.tokens.count({ surface, body, said })
    return { inputTokens: inputTokens + mediaTokens, outputTokens }
  } catch (error) {
    log.error({ err: error, callId: id }, 'the words of a call could not be counted')
    return undefined
  }
}
