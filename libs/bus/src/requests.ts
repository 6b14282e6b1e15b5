import { type Operation, type RefusalOf, type ResultOf, subjectOf } from '@callboard/contract'
import { type BusFaultKind, CallFault } from './fault.ts'
import { FAULT_KIND, type RequestBody, STATUS } from './frames.ts'
import { askForHeartbeats, heartbeatsOf, IdleTimeout } from './heartbeat.ts'
import { refuseUnsendable, type Sent, sendRequest } from './large/send-request.ts'
import { type Call, metaHeaders } from './meta.ts'
import { sending } from './telemetry.ts'
import type { Transport } from './transport.ts'
import { decode, encode, type WireMessage } from './wire.ts'

/** Requests one answer. @throws BusFault when there is none */
export async function request<Op extends Operation>(
  transport: Transport,
  call: Call<Op>,
  signal?: AbortSignal,
): Promise<ResultOf<Op>> {
  return decode((await answerTo(transport, call, signal)).payload) as ResultOf<Op>
}

/** The same for a caller that forwards the output, which stays the JSON that the handler's process wrote. */
export async function requestEncoded<Op extends Operation>(
  transport: Transport,
  call: Call<Op>,
  signal?: AbortSignal,
): Promise<Uint8Array | RefusalOf<Op>> {
  const { headers, payload } = await answerTo(transport, call, signal)
  return headers[STATUS] === 'refused' ? (decode(payload) as RefusalOf<Op>) : payload
}

/** Returns the message that answers a request: an output or a refusal. @throws BusFault when there is none */
function answerTo<Op extends Operation>(
  transport: Transport,
  { op, input, meta }: Call<Op>,
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  const subject = subjectOf(op)
  const headers = Object.assign(metaHeaders(meta), askForHeartbeats(meta.timeoutMs, transport.heartbeat))
  return sending(subject, headers, async () => {
    const body = encode({ input, payment: meta.payment } satisfies RequestBody)
    refuseUnsendable(transport, op, body)
    const reply = await oneReply(transport, { op, body, headers }, meta.timeoutMs, signal)
    if (reply.headers[STATUS] === 'fault') {
      const kind = (reply.headers[FAULT_KIND] ?? 'remote') as BusFaultKind
      throw new CallFault(kind, subject, String(decode(reply.payload)))
    }
    return reply
  })
}

function oneReply(
  transport: Transport,
  request: { readonly op: Operation; readonly body: Uint8Array; readonly headers: Record<string, string> },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  const { wire, heartbeat } = transport
  return new Promise((resolve, reject) => {
    const subject = subjectOf(request.op)
    const inbox = wire.inbox()
    let sent: Sent | undefined
    let isOver = false
    const finish = (outcome: () => void) => {
      clearTimeout(timer)
      idle.over()
      signal?.removeEventListener('abort', cancel)
      isOver = true
      const stop = () => void subscription.stop()
      if (sent) sent.over(stop)
      else stop()
      outcome()
    }
    const fail = (kind: BusFaultKind, message: string) => finish(() => reject(new CallFault(kind, subject, message)))
    const cancel = () => fail('cancelled', 'the caller disconnected')
    const timer = setTimeout(() => fail('deadline', `no answer within ${timeoutMs} ms`), timeoutMs)
    const idle = new IdleTimeout(heartbeat, () => fail('lost', 'the responder fell silent'))
    const hearsHeartbeats = heartbeatsOf(request.headers) !== undefined
    const subscription = wire.subscribe(inbox, undefined, (message) => {
      const asksForPiece = sent?.gives(message)
      if (isOver) return
      if (message.noResponder) fail('no_responder', 'no service answers it')
      else if (!asksForPiece && message.headers[STATUS] !== 'working') finish(() => resolve(message))
      else if (hearsHeartbeats) idle.heard()
    })
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) return cancel()
    sent = sendRequest(transport, { ...request, inbox })
    // The first heartbeat has a deadline too: a process killed before it read the request sends none.
    if (hearsHeartbeats) idle.heard()
  })
}
