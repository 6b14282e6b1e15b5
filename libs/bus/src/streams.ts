import { type InputOf, type Operation, type OutputOf, type RefusalOf, subjectOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { BusFault, type BusFaultKind } from './fault.ts'
import { type CallMeta, metaHeaders, readMeta } from './meta.ts'
import { type IncomingCall, type Served, serving } from './responses.ts'
import { processing, sending } from './telemetry.ts'
import { decode, encode, NOTHING, type Wire, type WireMessage } from './wire.ts'

/** Answers with chunks, or with a refusal instead of the first one. Its signal aborts when the reader goes away. */
export type StreamResponder<Op extends Operation> = (
  input: InputOf<Op>,
  call: IncomingCall,
) => AsyncIterable<OutputOf<Op>> | Promise<AsyncIterable<OutputOf<Op>> | RefusalOf<Op>>

const KIND = 'cb-chunk'
const NUMBER = 'cb-number'
const CONTROL = 'cb-control'
/** So many chunks may be under way that the reader has not taken. */
const WINDOW = 32
const HEARTBEAT_MS = 5_000
/** Three heartbeats: after so much silence the other side is gone. */
const SILENCE_MS = 15_000

/**
 * Reads a streamed answer. Leaving the loop, or the signal, stops the producer.
 * Chunks are numbered; a gap or silence breaks the stream loudly.
 * @throws BusFault, or the refusal when the producer refuses
 */
export async function* readStream<Op extends Operation>(
  wire: Wire,
  op: Op,
  input: InputOf<Op>,
  meta: CallMeta,
  signal?: AbortSignal,
): AsyncGenerator<OutputOf<Op>, undefined | RefusalOf<Op>> {
  const subject = subjectOf(op)
  const inbox = wire.inbox()
  const arrived: WireMessage[] = []
  let wake = () => {}
  const subscription = wire.subscribe(inbox, undefined, (message) => {
    arrived.push(message)
    wake()
  })
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort, { once: true })
  let control: string | undefined
  let ended = false
  let expected = 0
  const endsAt = performance.now() + meta.timeoutMs

  async function next(): Promise<WireMessage> {
    while (arrived.length === 0) {
      if (signal?.aborted) throw new BusFault('cancelled', subject, 'the reader disconnected')
      const waitMs = Math.min(SILENCE_MS, endsAt - performance.now())
      if (waitMs <= 0) throw new BusFault('deadline', subject, `the stream did not end within ${meta.timeoutMs} ms`)
      const { promise, resolve } = Promise.withResolvers<void>()
      let silent = false
      const timer = setTimeout(() => {
        silent = true
        resolve()
      }, waitMs)
      wake = resolve
      await promise
      clearTimeout(timer)
      if (silent && arrived.length === 0 && performance.now() < endsAt - 1) {
        throw new BusFault('broken_stream', subject, 'the producer fell silent')
      }
    }
    return arrived.shift() as WireMessage
  }

  try {
    await sending(subject, async (trace) => {
      wire.publish(subject, encode({ input, payment: meta.payment }), { ...metaHeaders(meta), ...trace }, inbox)
    })
    for (;;) {
      const message = await next()
      if (message.noResponder) throw new BusFault('no_responder', subject, 'no service answers it')
      const kind = message.headers[KIND]
      control = message.headers[CONTROL] ?? control
      if (kind === 'open' || kind === 'heartbeat') continue
      if (kind === 'fault') {
        ended = true
        throw new BusFault(
          (message.headers[CONTROL] as BusFaultKind) ?? 'remote',
          subject,
          String(decode(message.payload)),
        )
      }
      if (kind === 'refused') {
        ended = true
        return decode(message.payload) as RefusalOf<Op>
      }
      if (Number(message.headers[NUMBER]) !== expected) {
        throw new BusFault('broken_stream', subject, `chunk ${expected} was lost`)
      }
      if (kind === 'end') {
        ended = true
        return undefined
      }
      expected += 1
      yield decode(message.payload) as OutputOf<Op>
      if (control !== undefined && expected % (WINDOW / 2) === 0) {
        wire.publish(control, NOTHING, { [KIND]: 'taken', [NUMBER]: String(expected) })
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    if (!ended && control !== undefined) wire.publish(control, NOTHING, { [KIND]: 'cancel' })
    void subscription.stop()
  }
}

/** Serves a streamed operation as one member of its service's queue group. */
export function respondStream<Op extends Operation>(wire: Wire, op: Op, responder: StreamResponder<Op>): Served {
  const subject = subjectOf(op)

  async function work(message: WireMessage, reader: string): Promise<void> {
    const control = wire.inbox()
    const gone = new AbortController()
    let taken = 0
    let lastWord = performance.now()
    let wake = () => {}
    const controls = wire.subscribe(control, undefined, ({ headers }) => {
      lastWord = performance.now()
      if (headers[KIND] === 'cancel') gone.abort(new BusFault('cancelled', subject, 'the reader disconnected'))
      if (headers[KIND] === 'taken') taken = Math.max(taken, Number(headers[NUMBER]))
      wake()
    })
    const heartbeat = setInterval(() => wire.publish(reader, NOTHING, { [KIND]: 'heartbeat' }), HEARTBEAT_MS)
    const meta = readMeta(message.headers, op.timeoutMs)
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(meta.timeoutMs)])
    signal.addEventListener('abort', () => wake(), { once: true })

    /** Waits until the reader has taken enough, so that a slow reader holds the producer and not our memory. */
    async function room(sent: number): Promise<void> {
      while (sent - taken >= WINDOW && !signal.aborted) {
        if (performance.now() - lastWord > SILENCE_MS)
          gone.abort(new BusFault('broken_stream', subject, 'the reader fell silent'))
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, SILENCE_MS)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      signal.throwIfAborted()
    }

    try {
      wire.publish(reader, NOTHING, { [KIND]: 'open', [CONTROL]: control })
      await processing(subject, message.headers, async () => {
        const { input, payment } = decode(message.payload) as { input: InputOf<Op>; payment?: CallMeta['payment'] }
        const answer = await responder(input, { ...meta, payment, signal })
        if (isRefusal(answer)) return wire.publish(reader, encode(answer), { [KIND]: 'refused' })
        let sent = 0
        for await (const chunk of answer as AsyncIterable<OutputOf<Op>>) {
          await room(sent)
          wire.publish(reader, encode(chunk), { [KIND]: 'chunk', [NUMBER]: String(sent) })
          sent += 1
        }
        wire.publish(reader, NOTHING, { [KIND]: 'end', [NUMBER]: String(sent) })
      })
    } catch (error) {
      const kind = error instanceof BusFault ? error.kind : 'remote'
      const text = error instanceof Error ? error.message : String(error)
      wire.publish(reader, encode(text), { [KIND]: 'fault', [CONTROL]: kind })
    } finally {
      clearInterval(heartbeat)
      await controls.stop()
    }
  }

  return serving(wire, op, new Set(), work)
}
