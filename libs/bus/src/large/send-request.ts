import { largeSubjectOf, type Operation, subjectOf } from '@callboard/contract'
import { BusFault } from '../fault.ts'
import type { Transport } from '../transport.ts'
import { NOTHING, type WireMessage } from '../wire.ts'
import { BODY_BYTES, ENVELOPE_BYTES, PIECE_AT, PIECE_BYTES } from './frames.ts'

/** A request that can be sent. */
interface Outgoing {
  readonly op: Operation
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** The subject on which it is answered. */
  readonly inbox: string
}

/** @throws BusFault too_large; disconnected, since the client would keep the request and send it when nobody waits */
export function refuseUnsendable({ wire }: Transport, op: Operation, body: Uint8Array): void {
  const most = op.maxRequestBytes === undefined ? wire.mostBytes : op.maxRequestBytes + ENVELOPE_BYTES
  if (body.length > most) throw new BusFault('too_large', subjectOf(op), 'the request is too large')
  if (!wire.connected) throw new BusFault('disconnected', subjectOf(op), 'the bus is unreachable')
}

/** A request on its way. */
export interface Sent {
  /** Sends the piece that a message asks for. @returns whether it asks for one */
  gives(message: WireMessage): boolean
  /** Called when the request is done: `stop` ends the subscription, for a large request one silence later. */
  over(stop: () => unknown): void
}

/**
 * Sends a request. One that does not fit into a message is announced with its length on a subject of its own, to which
 * the previous release does not listen. Its pieces are sent on request, which comes to the inbox of its answer: only
 * the responder may write there.
 */
export function sendRequest({ wire, heartbeat }: Transport, { op, body, headers, inbox }: Outgoing): Sent {
  if (body.length <= wire.mostBytes) {
    wire.publish(subjectOf(op), body, headers, inbox)
    return { gives: () => false, over: (stop) => stop() }
  }
  let left = body
  wire.publish(largeSubjectOf(op), NOTHING, { ...headers, [BODY_BYTES]: String(body.length) }, inbox)
  return {
    gives({ headers: asked, reply }) {
      if (asked[PIECE_AT] === undefined || reply === undefined) return false
      const at = Number(asked[PIECE_AT])
      const piece = left.subarray(at, at + PIECE_BYTES)
      // What the server does not take would end the reading of its messages: this is called by the client.
      wire.publish(reply, piece.length > wire.mostBytes ? NOTHING : piece, {})
      return true
    },
    over(stop) {
      // Further requests get an empty piece, which makes the responder give up at once.
      left = NOTHING
      setTimeout(stop, heartbeat.idleTimeoutMs).unref()
    },
  }
}
