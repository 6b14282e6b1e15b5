import type { router } from '@callboard/contract'
import { type Refusal, refuse } from '@callboard/values'
import { isObject } from '@callboard/x402'
import type { RouterContext } from '../context.ts'
import type { Ending } from '../domain/settlement.ts'
import type { Surface } from '../domain/surface.ts'
import { chatUsage, embeddingsUsage, messagesUsage, responsesUsage, type Usage } from '../domain/usage.ts'
import { usdText } from '../domain/usd.ts'
import type { Answering, HeldCall } from './call.ts'
import { finish } from './finish.ts'
import { headersOf, piecesOf } from './parts.ts'

/** An answer that is not streamed may be so long. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

const USAGE_OF: Readonly<Record<Surface, (json: unknown) => Usage | undefined>> = {
  chat: chatUsage,
  responses: responsesUsage,
  embeddings: embeddingsUsage,
  messages: (json) => messagesUsage(json),
}

/** Reads an answer to its end, settles the call, and gives the answer on as it came. */
export async function answerWhole(
  ctx: RouterContext & { readonly signal: AbortSignal },
  call: HeldCall,
  answering: Answering,
): Promise<AsyncIterable<router.AnswerPart> | Refusal<'upstream_error'>> {
  let text: string
  try {
    text = await readText(answering)
  } catch (error) {
    const cancelled = ctx.signal.aborted
    await finish(ctx, call, { kind: cancelled ? 'cancelled' : 'broken', seen: 0 }, answering)
    if (cancelled) throw error
    ctx.log.warn({ err: error, upstream: answering.upstream.name }, 'an answer broke off')
    return refuse('upstream_error')
  }
  const { status, contentType } = answering
  const ending: Ending = status < 300 ? endingOf(call.surface, text) : { kind: 'failed_before_output' }
  const cost = await finish(ctx, call, ending, answering)
  if (ending.kind === 'broken') {
    ctx.log.warn({ upstream: answering.upstream.name, contentType }, 'an answer is no JSON object')
    return refuse('upstream_error')
  }
  const headers = { ...headersOf(call), 'content-type': contentType, 'x-callboard-cost-usd': usdText(cost) }
  return partsOf({ status, headers }, text)
}

async function* partsOf(head: router.AnswerPart, text: string): AsyncGenerator<router.AnswerPart> {
  yield head
  yield* piecesOf(text)
}

/** A page of some proxy, or nothing, is no answer, whatever its status says. */
function endingOf(surface: Surface, text: string): Ending {
  const answer = objectIn(text)
  if (!answer) return { kind: 'broken', seen: text.length }
  const usage = USAGE_OF[surface](answer)
  return usage ? { kind: 'completed', usage } : { kind: 'completed_without_usage', seen: text.length }
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function readText({ body }: Answering): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
