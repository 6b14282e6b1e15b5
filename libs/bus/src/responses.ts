import { type InputOf, largeSubjectOf, type Operation, type ResultOf, serviceOf, subjectOf } from '@callboard/contract'
import { isRefusal } from '@callboard/values'
import { Deadline } from './deadline.ts'
import { type BusFaultKind, toldKind } from './fault.ts'
import { FAULT_KIND, OK, REFUSED, STATUS, WORKING } from './frames.ts'
import { sendHeartbeats } from './heartbeat.ts'
import { TakenRequest } from './large/taken-request.ts'
import { type CallMeta, readMeta } from './meta.ts'
import { processing } from './telemetry.ts'
import type { Transport } from './transport.ts'
import { encode, NOTHING, type Wire, type WireMessage } from './wire.ts'

/** What a handler learns about its request in addition to the input. */
export interface IncomingCall extends CallMeta {
  /** Aborts at the deadline if there is no answer by then. */
  readonly signal: AbortSignal
}

export type Responder<Op extends Operation> = (input: InputOf<Op>, call: IncomingCall) => Promise<ResultOf<Op>>

export interface Served {
  /** Takes no new work, waits for work in flight (until the deadline), then resolves. */
  stop(deadlineMs: number): Promise<void>
}

/**
 * Serves an operation as one member of its service's queue group.
 * @param maxInFlight how many requests may be in progress at once; further ones are refused as overloaded
 */
export function respond<Op extends Operation>(
  transport: Transport,
  op: Op,
  responder: Responder<Op>,
  maxInFlight: number,
): Served {
  const { wire } = transport
  const subject = subjectOf(op)
  const inFlight = new Set<Promise<void>>()

  async function work(message: WireMessage, reply: string): Promise<void> {
    const send = (payload: Uint8Array, headers: Readonly<Record<string, string>>) => {
      // A handler may outlive its bus, when a shutdown has waited long enough for it.
      if (!wire.closed) wire.publish(reply, payload, headers)
    }
    const fault = (kind: BusFaultKind, text: string) => send(encode(text), { [STATUS]: 'fault', [FAULT_KIND]: kind })
    if (inFlight.size >= maxInFlight) return fault('overloaded', 'the service has all the work it takes')
    let deadline: Deadline | undefined
    const taken = new TakenRequest(transport, op, message)
    const endLife = sendHeartbeats(message.headers, () => {
      if (wire.connected) send(NOTHING, WORKING)
    })
    try {
      const meta = readMeta(message.headers, op.timeoutMs)
      deadline = new Deadline(meta.timeoutMs)
      const { signal } = deadline
      const { input, payment } = await taken.read(signal)
      const result = await processing(subject, message.headers, () =>
        responder(input as InputOf<Op>, { ...meta, payment, signal }),
      )
      const payload = result === undefined ? NOTHING : encode(result)
      if (payload.length > transport.wire.mostBytes) return fault('remote', 'the answer is too large')
      send(payload, isRefusal(result) ? REFUSED : OK)
    } catch (error) {
      fault(toldKind(error), error instanceof Error ? error.message : String(error))
    } finally {
      taken.over()
      deadline?.over()
      endLife()
    }
  }

  return serving(wire, op, inFlight, work)
}

/** Passes requests for an operation to `work`, as one member of its service's queue group; tracks each until done. */
export function serving(
  wire: Wire,
  op: Operation,
  inFlight: Set<Promise<void>>,
  work: (message: WireMessage, reply: string) => Promise<void>,
): Served {
  const take = (message: WireMessage) => {
    if (message.reply === undefined) return
    const working = work(message, message.reply).finally(() => inFlight.delete(working))
    inFlight.add(working)
  }
  const subjects = [subjectOf(op), ...(op.maxRequestBytes === undefined ? [] : [largeSubjectOf(op)])]
  const subscriptions = subjects.map((subject) => wire.subscribe(subject, serviceOf(op), take))
  return {
    async stop(deadlineMs) {
      await Promise.all(subscriptions.map((subscription) => subscription.stop()))
      await settled(inFlight, deadlineMs)
      await wire.flush()
    },
  }
}

/** Waits at most `deadlineMs` until all of a changing set have settled. */
export async function settled(inFlight: ReadonlySet<Promise<unknown>>, deadlineMs: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, deadlineMs)
  await Promise.race([Promise.allSettled([...inFlight]), late])
  clearTimeout(timer)
}
