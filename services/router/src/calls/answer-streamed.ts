import { isReaderLost } from '@callboard/bus'
import type { router } from '@callboard/contract'
import { SECOND_MS } from '@callboard/values'
import type { RouterContext } from '../context.ts'
import { WithheldFinish } from '../domain/answered/withheld-finish.ts'
import { objectIn } from '../domain/json.ts'
import { type Charge, type Ending, endingOfStream } from '../domain/settlement.ts'
import { type SseFrame, SseScanner } from '../domain/sse.ts'
import { chatStream, messagesStream, responsesStream, type StreamReader } from '../domain/stream-usage.ts'
import type { Surface } from '../domain/surface.ts'
import { whyFailed } from '../models/why-failed.ts'
import { errorEvent } from '../translate/errors.ts'
import { eventText } from '../translate/streams/sse-text.ts'
import { translatedReader } from '../translate/streams/translated-reader.ts'
import type { Answering, Delivering, HeldCall } from './call.ts'
import { chargeOf } from './charge-call.ts'
import { callFailpoints } from './failpoints.ts'
import { settleCharge } from './finish.ts'
import { headersOf, piecesOf } from './parts.ts'

/** A client that reads nothing for longer lets its provider give up, which most do after a minute. */
const STALLED_MS = 30 * SECOND_MS
const FREE = 'The model’s provider broke off its answer. Nothing was charged.'
const CHARGED = 'The model’s provider broke off its answer, which was not read for long. What arrived was charged.'

/** The event that ends a stream whose upstream broke off. */
const broken = (surface: Surface, { next }: StreamReader, { kind }: Ending) =>
  eventText(surface, errorEvent(surface, kind === 'broken' ? FREE : CHARGED, next))

/** Reads a stream in its upstream's shape and translates it into the client's. */
function reading({ surface, request: { wantsUsage } }: HeldCall, { translation }: Answering): StreamReader {
  if (!translation) return readerOf(surface, { wantsUsage })
  return translatedReader(readerOf(translation.wire, { wantsUsage: true }), { surface, translation })
}

function readerOf(surface: Surface, { wantsUsage }: { readonly wantsUsage: boolean }): StreamReader {
  if (surface === 'chat') return chatStream({ wantsUsage })
  return surface === 'messages' ? messagesStream() : responsesStream()
}

async function* framesOf({ body }: Answering): AsyncGenerator<readonly SseFrame[]> {
  const scanner = new SseScanner()
  for await (const chunk of body) yield scanner.push(chunk)
  yield scanner.end().flatMap(closed)
}

/**
 * The event that the stream's end left without its blank line, which is added, as ours may follow. If it was cut off in
 * its data, no client could read it, nor what follows it.
 */
function closed(frame: SseFrame): SseFrame[] {
  const { raw, data = '' } = frame
  return data.trim() === '[DONE]' || objectIn(data) ? [{ ...frame, raw: `${raw}\n\n` }] : []
}

/** Settles a stream, once: whatever ends it afterwards changes nothing. */
function settlingOnce(ctx: RouterContext, call: HeldCall, answering: Answering, events: StreamReader) {
  let isSettled = false
  return {
    isSettled: () => isSettled,
    async as(ending: Ending, counted?: Charge): Promise<void> {
      if (isSettled) return
      isSettled = true
      if (events.failed === 'of_upstream') answering.broke()
      const charge = counted ?? (await chargeOf(ctx, call, ending, answering))
      await settleCharge(ctx, call, { ending, charge, answering })
    },
  }
}

/**
 * Passes a stream on as it arrives, in one pass. Once the client has everything but the last event, the call is
 * settled, and only then is that event sent, and with it the finish of a chat. The call is also settled when the stream
 * breaks, and when the client or the gateway goes away, which ends this generator.
 */
export async function* answerStreamed(
  ctx: RouterContext & Delivering,
  call: HeldCall,
  answering: Answering,
): AsyncGenerator<router.AnswerPart> {
  const events = reading(call, answering)
  const settle = settlingOnce(ctx, call, answering, events)
  const { streamsOpen } = ctx.resources.metering
  const finish = new WithheldFinish()
  let longestWaitMs = 0
  async function* given(text: string): AsyncGenerator<router.AnswerPart> {
    const since = ctx.clock.now()
    yield* piecesOf(text)
    longestWaitMs = Math.max(longestWaitMs, ctx.clock.now() - since)
  }
  /** Settles a stream that its upstream ended, once delivered so far. @returns the last events, which state a charge */
  const lastEvents = async (): Promise<string> => {
    const ending = endingOfStream(events, 'upstream')
    // Words are counted before the delivery check: a call whose gateway dies between check and settlement is charged.
    const charge = await chargeOf(ctx, call, ending, answering)
    await ctx.delivered()
    callFailpoints.hit('ended')
    await settle.as(ending, charge)
    callFailpoints.hit('charged')
    return charge.usage ? events.end(charge.usage) : ''
  }
  /**
   * The ending of a stream that its upstream did not end. If its client had stopped reading, the upstream has not failed:
   * the client pays for what it received, or it could have any long answer for free.
   */
  const brokenOff = () => endingOfStream(events, longestWaitMs >= STALLED_MS ? 'client' : 'upstream')
  /** Settles a stream that broke off. @returns the last event, which says so */
  const breakOff = async (): Promise<Iterable<router.AnswerPart>> => {
    const ending = brokenOff()
    if (ending.kind === 'broken' && events.failed !== 'of_request') answering.broke()
    await settle.as(ending)
    return piecesOf(finish.take() + broken(call.surface, events, ending))
  }
  streamsOpen.inc()
  try {
    yield { status: 200, headers: { ...headersOf(call), 'content-type': 'text/event-stream; charset=utf-8' } }
    for await (const frames of framesOf(answering)) {
      let text = ''
      for (const frame of frames) {
        const sent = events.take(frame) ?? ''
        if (events.done && !settle.isSettled()) {
          yield* given(text)
          text = finish.take() + sent + (await lastEvents())
        } else text += finish.pass(sent, events.finished && !events.done)
      }
      yield* given(text)
      callFailpoints.hit('begun')
    }
    if (events.done) return
    yield* await breakOff()
  } catch (error) {
    if (ctx.signal.aborted) throw error
    // The answer was complete and is paid; what happens to the connection afterwards does not concern the client.
    if (events.done) return
    ctx.log.warn({ ...whyFailed(error), upstream: answering.upstream.name }, 'a stream broke off')
    yield* await breakOff()
  } finally {
    answering.body.destroy()
    try {
      await settle.as(endingOfStream(events, isReaderLost(ctx.signal) ? 'gateway' : 'client'))
    } finally {
      streamsOpen.dec()
    }
  }
}
