import { isReaderLost } from '@callboard/bus'
import type { router } from '@callboard/contract'
import { type Refusal, refuse } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { TooLong, textOfAnswer } from '../domain/answered/gathered-bytes.ts'
import { usdText } from '../domain/usd.ts'
import { whyFailed } from '../models/why-failed.ts'
import { type Answering, type Delivering, type HeldCall, hasLeft } from './call.ts'
import { chargeOf } from './charge-call.ts'
import { callFailpoints } from './failpoints.ts'
import { finish, settleCharge } from './finish.ts'
import { headersOf, piecesOf } from './parts.ts'
import { readWhole } from './read-whole.ts'
import { receiptHeader } from './receipt-headers.ts'

/**
 * Reads an answer to its end, makes sure that the gateway is there to take it, settles the call and passes the answer
 * on. A client that leaves once its answer is there pays for it; a gateway that died is our failure.
 */
export async function answerWhole(
  ctx: RouterContext & Delivering,
  call: HeldCall,
  answering: Answering,
): Promise<AsyncIterable<router.AnswerPart> | Refusal<'upstream_error'>> {
  let received: string
  try {
    received = await textOfAnswer(answering.body)
  } catch (error) {
    // What the client asked for may be longer than is read, for which its upstream is not to blame.
    if (!ctx.signal.aborted && !(error instanceof TooLong)) answering.broke()
    await finish(ctx, call, { kind: hasLeft(ctx.signal) ? 'cancelled' : 'broken', seen: 0 }, answering)
    if (ctx.signal.aborted) throw error
    ctx.log.warn({ ...whyFailed(error), upstream: answering.upstream.name }, 'an answer broke off')
    return refuse('upstream_error')
  }
  const { ending, failed, charge, text, contentType } = await readWhole(call.surface, answering, received, (ended) =>
    chargeOf(ctx, call, ended, answering),
  )
  if (ending.kind === 'broken' && failed !== 'of_request') answering.broke()
  await ctx.delivered().catch(() => {})
  if (isReaderLost(ctx.signal)) {
    await finish(ctx, call, { kind: 'broken', seen: received.length }, answering)
    throw ctx.signal.reason
  }
  callFailpoints.hit('ended')
  const { cost, receipt } = await settleCharge(ctx, call, { ending, charge, answering })
  callFailpoints.hit('charged')
  if (ending.kind === 'broken') {
    ctx.log.warn({ upstream: answering.upstream.name, contentType }, 'an answer is an error, or none of its API')
    return refuse('upstream_error')
  }
  const headers = {
    ...headersOf(call),
    ...(await receiptHeader(ctx, receipt)),
    'content-type': contentType,
    'content-length': String(Buffer.byteLength(text)),
    'x-callboard-cost-usd': usdText(cost),
  }
  return partsOf({ status: answering.status, headers }, text)
}

async function* partsOf(head: router.AnswerPart, text: string): AsyncGenerator<router.AnswerPart> {
  yield head
  yield* piecesOf(text)
}
