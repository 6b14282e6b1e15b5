import { type InputOf, type Operation, type RefusalOf, type ResultOf, serviceOf, subjectOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { Deadline } from './deadline.ts'
import { BusFault, type BusFaultKind } from './fault.ts'
import { askForLife, type Heartbeat, Silence, tellLife } from './heartbeat.ts'
import { type CallMeta, metaHeaders, readMeta } from './meta.ts'
import { processing, sending } from './telemetry.ts'
import {
  decode,
  encode,
  MAX_MESSAGE_BYTES,
  NOTHING,
  type Wire,
  type WireMessage,
  type WireSubscription,
} from './wire.ts'

/** What a handler is told of its request beside the input. */
export interface IncomingCall extends CallMeta {
  /** Aborts at the deadline, when the answer is not there by then. */
  readonly signal: AbortSignal
}

export type Responder<Op extends Operation> = (input: InputOf<Op>, call: IncomingCall) => Promise<ResultOf<Op>>

interface RequestBody {
  readonly input: unknown
  readonly payment?: CallMeta['payment']
}

/** What a message to the caller is: `working`, a sign of life; or the answer, `ok`, `refused` or `fault`. */
const STATUS = 'cb-status'
const FAULT_KIND = 'cb-fault'

/** What every request of a bus has in common. */
export interface Way {
  readonly wire: Wire
  readonly heartbeat: Heartbeat
}

/** Asks for one answer. @throws BusFault when there is none */
export async function request<Op extends Operation>(
  way: Way,
  op: Op,
  input: InputOf<Op>,
  meta: CallMeta,
  signal?: AbortSignal,
): Promise<ResultOf<Op>> {
  return decode((await answerTo(way, op, input, meta, signal)).payload) as ResultOf<Op>
}

/** The same for whoever passes an output on: it stays the JSON that the handler's answer was written as. */
export async function requestEncoded<Op extends Operation>(
  way: Way,
  op: Op,
  input: InputOf<Op>,
  meta: CallMeta,
  signal?: AbortSignal,
): Promise<Uint8Array | RefusalOf<Op>> {
  const { headers, payload } = await answerTo(way, op, input, meta, signal)
  return headers[STATUS] === 'refused' ? (decode(payload) as RefusalOf<Op>) : payload
}

/** The message that answers a request: an output or a refusal. @throws BusFault when there is none */
function answerTo<Op extends Operation>(
  way: Way,
  op: Op,
  input: InputOf<Op>,
  meta: CallMeta,
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  const subject = subjectOf(op)
  return sending(subject, async (trace) => {
    const body = encode({ input, payment: meta.payment } satisfies RequestBody)
    if (body.length > MAX_MESSAGE_BYTES) throw new BusFault('too_large', subject, 'the request is too large')
    if (!way.wire.connected) throw new BusFault('disconnected', subject, 'the bus is away')
    const headers = { ...metaHeaders(meta), ...trace, ...askForLife(meta.timeoutMs, way.heartbeat) }
    const reply = await oneReply(way, subject, body, headers, meta.timeoutMs, signal)
    if (reply.headers[STATUS] === 'fault') {
      const kind = (reply.headers[FAULT_KIND] ?? 'remote') as BusFaultKind
      throw new BusFault(kind, subject, String(decode(reply.payload)))
    }
    return reply
  })
}

function oneReply(
  { wire, heartbeat }: Way,
  subject: string,
  body: Uint8Array,
  headers: Record<string, string>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<WireMessage> {
  return new Promise((resolve, reject) => {
    const inbox = wire.inbox()
    const finish = (outcome: () => void) => {
      clearTimeout(timer)
      silence.over()
      signal?.removeEventListener('abort', cancel)
      void subscription.stop()
      outcome()
    }
    const fail = (kind: BusFaultKind, message: string) => finish(() => reject(new BusFault(kind, subject, message)))
    const cancel = () => fail('cancelled', 'the caller went away')
    const timer = setTimeout(() => fail('deadline', `no answer within ${timeoutMs} ms`), timeoutMs)
    const silence = new Silence(heartbeat, () => fail('lost', 'the responder fell silent'))
    const subscription = wire.subscribe(inbox, undefined, (message) => {
      if (message.noResponder) fail('no_responder', 'nobody serves it')
      else if (message.headers[STATUS] === 'working') silence.heard()
      else finish(() => resolve(message))
    })
    signal?.addEventListener('abort', cancel, { once: true })
    if (signal?.aborted) return cancel()
    wire.publish(subject, body, headers, inbox)
  })
}

export interface Served {
  /** Takes no new work, waits for what is in flight (until the deadline), then resolves. */
  stop(deadlineMs: number): Promise<void>
}

/**
 * Serves an operation as one member of its service's queue group.
 * @param maxInFlight how many requests may be worked on at once; one more is refused as overloaded
 */
export function respond<Op extends Operation>(
  wire: Wire,
  op: Op,
  responder: Responder<Op>,
  maxInFlight: number,
): Served {
  const subject = subjectOf(op)
  const inFlight = new Set<Promise<void>>()

  async function work(message: WireMessage, reply: string): Promise<void> {
    const send = (payload: Uint8Array, headers: Record<string, string>) => wire.publish(reply, payload, headers)
    const fault = (kind: BusFaultKind, text: string) => send(encode(text), { [STATUS]: 'fault', [FAULT_KIND]: kind })
    if (inFlight.size >= maxInFlight) return fault('overloaded', 'the service has all the work it takes')
    let deadline: Deadline | undefined
    const endLife = tellLife(message.headers, () => {
      if (wire.connected) send(NOTHING, { [STATUS]: 'working' })
    })
    try {
      const meta = readMeta(message.headers, op.timeoutMs)
      const { input, payment } = decode(message.payload) as RequestBody
      deadline = new Deadline(meta.timeoutMs)
      const { signal } = deadline
      const result = await processing(subject, message.headers, () =>
        responder(input as InputOf<Op>, { ...meta, payment, signal }),
      )
      const payload = result === undefined ? NOTHING : encode(result)
      if (payload.length > MAX_MESSAGE_BYTES) return fault('too_large', 'the answer is too large')
      send(payload, { [STATUS]: isRefusal(result) ? 'refused' : 'ok' })
    } catch (error) {
      fault(error instanceof BusFault ? error.kind : 'remote', error instanceof Error ? error.message : String(error))
    } finally {
      deadline?.over()
      endLife()
    }
  }

  const subscription: WireSubscription = wire.subscribe(subject, serviceOf(op), (message) => {
    if (message.reply === undefined) return
    const working = work(message, message.reply).finally(() => inFlight.delete(working))
    inFlight.add(working)
  })

  return {
    async stop(deadlineMs) {
      await subscription.stop()
      await settled(inFlight, deadlineMs)
      await wire.flush()
    },
  }
}

/** Waits until all of a changing set are done, at most `deadlineMs`. */
export async function settled(inFlight: ReadonlySet<Promise<unknown>>, deadlineMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, deadlineMs)
  await Promise.race([Promise.allSettled([...inFlight]), late])
  clearTimeout(timer)
}
