import type { router } from '@callboard/contract'
import type { RouterContext } from '../context.ts'
import type { Ending } from '../domain/settlement.ts'
import { SseScanner } from '../domain/sse.ts'
import { chatStream, messagesStream, responsesStream } from '../domain/stream-usage.ts'
import type { Surface } from '../domain/surface.ts'
import type { Answering, HeldCall } from './call.ts'
import { finish } from './finish.ts'
import { headersOf, piecesOf } from './parts.ts'

const MESSAGE = 'The model’s provider broke off; nothing was charged.'

/** What stands in a stream whose upstream broke off, in the shape of its surface. */
const BROKEN: Readonly<Record<Surface, string>> = {
  chat: `data: ${JSON.stringify({ error: { message: MESSAGE, type: 'server_error', param: null, code: 'upstream_error' } })}\n\n`,
  responses: `event: error\ndata: ${JSON.stringify({ type: 'error', code: 'upstream_error', message: MESSAGE, param: null })}\n\n`,
  messages: `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'api_error', message: MESSAGE } })}\n\n`,
  embeddings: '',
}

const reading = ({ surface, request: { wantsUsage } }: HeldCall) => {
  if (surface === 'chat') return chatStream({ wantsUsage })
  return surface === 'messages' ? messagesStream() : responsesStream()
}

/**
 * Gives a stream on as it comes, in one pass, and settles the call before its last event leaves, when it breaks, or when
 * its client goes away, which leaves this generator.
 */
export async function* answerStreamed(
  ctx: RouterContext & { readonly signal: AbortSignal },
  call: HeldCall,
  answering: Answering,
): AsyncGenerator<router.AnswerPart> {
  const scanner = new SseScanner()
  const events = reading(call)
  let isSettled = false
  const settleAs = async (ending: Ending) => {
    if (isSettled) return
    isSettled = true
    await finish(ctx, call, ending, answering)
  }
  const ended = (): Ending => {
    const { usage, text: seen } = events
    if (events.failed) return { kind: 'broken', seen }
    return usage ? { kind: 'completed', usage } : { kind: 'completed_without_usage', seen }
  }
  try {
    yield { status: 200, headers: { ...headersOf(call), 'content-type': 'text/event-stream; charset=utf-8' } }
    for await (const chunk of answering.body) {
      const text = scanner.push(chunk).reduce((sent, frame) => sent + (events.take(frame) ?? ''), '')
      if (events.done) await settleAs(ended())
      yield* piecesOf(text)
    }
    const rest = scanner.end().reduce((sent, frame) => sent + (events.take(frame) ?? ''), '')
    await settleAs(events.done ? ended() : { kind: 'broken', seen: events.text })
    yield* piecesOf(events.done ? rest : rest + BROKEN[call.surface])
  } catch (error) {
    if (ctx.signal.aborted) throw error
    // The answer was whole, and is paid: what became of the connection after it is nothing to the client.
    if (events.done) return
    ctx.log.warn({ err: error, upstream: answering.upstream.name }, 'a stream broke off')
    await settleAs({ kind: 'broken', seen: events.text })
    yield { text: BROKEN[call.surface] }
  } finally {
    answering.body.destroy()
    const { usage, text: seen } = events
    await settleAs({ kind: 'cancelled', seen, ...(usage ? { usage } : {}) })
  }
}
