import { type Operation, type OutputOf, type RefusalOf, subjectOf } from '@callboard/contract'
import { type BusFaultKind, CallFault } from '../fault.ts'
import type { RequestBody } from '../frames.ts'
import { exchangeHeartbeats } from '../heartbeat.ts'
import { refuseUnsendable, sendRequest } from '../large/send-request.ts'
import { type Call, metaHeaders } from '../meta.ts'
import { sending } from '../telemetry.ts'
import type { Transport } from '../transport.ts'
import { decode, encode } from '../wire.ts'
import { Arrivals } from './arrivals.ts'
import { CONTROL, KIND, LAST, NUMBER, TAKES_MANY, WINDOW } from './frames.ts'

export interface ReadOptions {
  /** Ends the stream because its reader is gone. */
  readonly signal?: AbortSignal | undefined
  /**
   * For a reader that forwards the chunks: resolves once none that it took are left in its process. Called when the
   * producer asks whether they arrived.
   */
  readonly passedOn?: (() => Promise<void>) | undefined
}

/**
 * Reads a streamed answer. Leaving the loop, or the signal, stops the producer.
 * Chunks are numbered; a gap or silence breaks the stream loudly.
 * @throws BusFault, or the refusal when the producer refuses
 */
export async function* readStream<Op extends Operation>(
  transport: Transport,
  { op, input, meta }: Call<Op>,
  { signal, passedOn }: ReadOptions = {},
): AsyncGenerator<OutputOf<Op>, undefined | RefusalOf<Op>> {
  const subject = subjectOf(op)
  const arrivals = new Arrivals(transport, subject, meta.timeoutMs)
  const cancel = () => arrivals.fail('cancelled', 'the reader disconnected')
  signal?.addEventListener('abort', cancel, { once: true })
  let expected = 0
  try {
    if (signal?.aborted) cancel()
    else {
      const headers = { ...metaHeaders(meta), ...exchangeHeartbeats(transport.heartbeat), ...TAKES_MANY }
      await sending(subject, headers, async () => {
        const body = encode({ input, payment: meta.payment } satisfies RequestBody)
        refuseUnsendable(transport, op, body)
        arrivals.sent = sendRequest(transport, { op, body, headers, inbox: arrivals.inbox })
      })
    }
    for (;;) {
      const message = await arrivals.next()
      const { headers, payload } = message
      const kind = headers[KIND]
      if (kind === 'ask') {
        await passedOn?.()
        arrivals.delivered(headers[NUMBER])
        continue
      }
      const isOver = message.noResponder || kind === 'fault' || kind === 'refused'
      if (isOver) arrivals.leave(true)
      if (message.noResponder) throw new CallFault('no_responder', subject, 'no service answers it')
      if (kind === 'fault')
        throw new CallFault((headers[CONTROL] as BusFaultKind) ?? 'remote', subject, String(decode(payload)))
      if (kind === 'refused') return decode(payload) as RefusalOf<Op>
      if (Number(headers[NUMBER]) !== expected)
        throw new CallFault('broken_stream', subject, `chunk ${expected} was lost`)
      if (kind === 'end') {
        arrivals.leave(true)
        return undefined
      }
      const isLast = headers[LAST] !== undefined
      // From here on the reader ignores the producer.
      if (isLast) arrivals.leave(true)
      for (const chunk of chunksIn(kind, payload)) {
        expected += 1
        yield chunk as OutputOf<Op>
        if (expected % (WINDOW / 2) === 0) arrivals.taken(expected)
      }
      if (isLast) return undefined
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    arrivals.leave()
  }
}

const chunksIn = (kind: string | undefined, payload: Uint8Array): readonly unknown[] =>
  kind === 'chunks' ? (decode(payload) as unknown[]) : [decode(payload)]
