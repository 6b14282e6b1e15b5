import type { router } from '@callboard/contract'
import type { RouterContext } from '../context.ts'
import type { Charge, Ending } from '../domain/settlement.ts'
import { SseScanner } from '../domain/sse.ts'
import { chatStream, messagesStream, responsesStream, type StreamReader } from '../domain/stream-usage.ts'
import type { Surface } from '../domain/surface.ts'
import { errorEvent } from '../translate/errors.ts'
import { translatedReader } from '../translate/put-back.ts'
import { eventText } from '../translate/sse-text.ts'
import type { Answering, HeldCall } from './call.ts'
import { chargeOf } from './charge-call.ts'
import { settleCharge } from './finish.ts'
import { headersOf, piecesOf } from './parts.ts'

const MESSAGE = 'The model’s provider broke off; nothing was charged.'

/** What stands in a stream whose upstream broke off. */
const broken = (surface: Surface) => eventText(surface, errorEvent(surface, MESSAGE))

/** Reads a stream in the shape in which its upstream writes it, and puts it into that of its client. */
function reading({ surface, request: { wantsUsage } }: HeldCall, { translation }: Answering): StreamReader {
  if (!translation) return readerOf(surface, { wantsUsage })
  return translatedReader(readerOf(translation.wire, { wantsUsage: true }), { surface, translation })
}

function readerOf(surface: Surface, { wantsUsage }: { readonly wantsUsage: boolean }): StreamReader {
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
  const events = reading(call, answering)
  let isSettled = false
  const settleAs = async (ending: Ending): Promise<Charge | undefined> => {
    if (isSettled) return undefined
    isSettled = true
    const charge = await chargeOf(ctx, call, ending, answering)
    await settleCharge(ctx, call, { ending, charge, answering })
    return charge
  }
  const ended = (): Ending => {
    const { usage, text: seen, said } = events
    if (events.failed) return { kind: 'broken', seen }
    return usage ? { kind: 'completed', usage, seen, said } : { kind: 'completed_without_usage', seen, said }
  }
  /** Settles what its upstream ended. @returns the last events, which tell what is charged */
  const lastEvents = async (): Promise<string> => {
    const charge = await settleAs(ended())
    return charge?.usage ? events.end(charge.usage) : ''
  }
  try {
    yield { status: 200, headers: { ...headersOf(call), 'content-type': 'text/event-stream; charset=utf-8' } }
    for await (const chunk of answering.body) {
      const text = scanner.push(chunk).reduce((sent, frame) => sent + (events.take(frame) ?? ''), '')
      yield* piecesOf(events.done ? text + (await lastEvents()) : text)
    }
    const rest = scanner.end().reduce((sent, frame) => sent + (events.take(frame) ?? ''), '')
    if (!events.done) await settleAs({ kind: 'broken', seen: events.text })
    yield* piecesOf(rest + (events.done ? await lastEvents() : broken(call.surface)))
  } catch (error) {
    if (ctx.signal.aborted) throw error
    // The answer was whole, and is paid: what became of the connection after it is nothing to the client.
    if (events.done) return
    ctx.log.warn({ err: error, upstream: answering.upstream.name }, 'a stream broke off')
    await settleAs({ kind: 'broken', seen: events.text })
    yield { text: broken(call.surface) }
  } finally {
    answering.body.destroy()
    const { usage, text: seen, said } = events
    await settleAs({ kind: 'cancelled', seen, said, ...(usage ? { usage } : {}) })
  }
}
