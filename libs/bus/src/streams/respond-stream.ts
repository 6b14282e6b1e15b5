import { type InputOf, type Operation, type OutputOf, type RefusalOf, subjectOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { type BusFaultKind, toldKind } from '../fault.ts'
import { TakenRequest } from '../large/taken-request.ts'
import { readMeta, readTimeout } from '../meta.ts'
import { type IncomingCall, type Served, serving } from '../responses.ts'
import { processing } from '../telemetry.ts'
import type { Transport } from '../transport.ts'
import { encode, type WireMessage } from '../wire.ts'
import { CONTROL, KIND } from './frames.ts'
import { Reader } from './reader.ts'

/** What the handler of a streamed operation learns about its request. Its signal also aborts when the reader leaves. */
export interface StreamCall extends IncomingCall {
  /**
   * Resolves once the reader has taken and forwarded every chunk yielded so far: one round trip over the bus.
   * @throws BusFault `reader_lost` when the reader died, `cancelled` when it left
   */
  delivered(): Promise<void>
}

/** Answers with chunks, or with a refusal instead of the first chunk. */
export type StreamResponder<Op extends Operation> = (
  input: InputOf<Op>,
  call: StreamCall,
) => AsyncIterable<OutputOf<Op>> | Promise<AsyncIterable<OutputOf<Op>> | RefusalOf<Op>>

/**
 * Serves a streamed operation as one member of its service's queue group.
 * @param maxInFlight how many streams may be open at once; further ones are refused as overloaded
 */
export function respondStream<Op extends Operation>(
  transport: Transport,
  op: Op,
  responder: StreamResponder<Op>,
  maxInFlight: number,
): Served {
  const subject = subjectOf(op)
  const inFlight = new Set<Promise<void>>()

  async function work(message: WireMessage, inbox: string): Promise<void> {
    if (inFlight.size >= maxInFlight) {
      const fault: BusFaultKind = 'overloaded'
      const text = encode('the service has all the streams it takes')
      return transport.wire.publish(inbox, text, { [KIND]: 'fault', [CONTROL]: fault })
    }
    const timeoutMs = readTimeout(message.headers, op.timeoutMs)
    const reader = new Reader(transport, subject, { message, inbox, timeoutMs })
    const { signal } = reader
    const taken = new TakenRequest(transport, op, message)
    try {
      const meta = readMeta(message.headers, op.timeoutMs)
      await processing(subject, message.headers, async () => {
        const { input, payment } = await taken.read(signal)
        const call = { ...meta, payment, signal, delivered: () => reader.delivered() }
        const answer = await responder(input as InputOf<Op>, call)
        if (isRefusal(answer)) return reader.send('refused', encode(answer))
        for await (const chunk of answer as AsyncIterable<OutputOf<Op>>) await reader.give(chunk)
        reader.end()
      })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      reader.send('fault', encode(text), { [CONTROL]: toldKind(error) })
    } finally {
      taken.over()
      await reader.over()
    }
  }

  return serving(transport.wire, op, inFlight, work)
}
