import { largeSubjectOf, type Operation, subjectOf } from '@callboard/contract'
import { BusFault } from '../fault.ts'
import type { Way } from '../way.ts'
import { MAX_MESSAGE_BYTES, NOTHING } from '../wire.ts'
import { BODY_BYTES, BODY_FROM, ENVELOPE_BYTES, PIECE_AT, PIECE_BYTES } from './frames.ts'

/** A request that can be sent. */
interface Outgoing {
  readonly op: Operation
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** Where it is answered. */
  readonly inbox: string
}

/** @throws BusFault too_large */
export function refuseTooLarge(op: Operation, body: Uint8Array): void {
  const most = op.maxRequestBytes === undefined ? MAX_MESSAGE_BYTES : op.maxRequestBytes + ENVELOPE_BYTES
  if (body.length > most) throw new BusFault('too_large', subjectOf(op), 'the request is too large')
}

/**
 * Sends a request. One that does not fit into a message is announced with its length on a subject of its own, where a release
 * that knows of none hears nothing, and its pieces are sent as they are asked for.
 * @returns to be called when it is over: nothing more of it can be asked for
 */
export function sendRequest({ wire, heartbeat }: Way, { op, body, headers, inbox }: Outgoing): () => void {
  if (body.length <= MAX_MESSAGE_BYTES) {
    wire.publish(subjectOf(op), body, headers, inbox)
    return () => {}
  }
  const from = wire.inbox()
  let left = body
  const pieces = wire.subscribe(from, undefined, ({ headers: asked, reply }) => {
    const at = Number(asked[PIECE_AT])
    if (reply !== undefined) wire.publish(reply, left.subarray(at, at + PIECE_BYTES), {})
  })
  const announced = { ...headers, [BODY_BYTES]: String(body.length), [BODY_FROM]: from }
  wire.publish(largeSubjectOf(op), NOTHING, announced, inbox)
  return () => {
    // Who asks on gets an empty piece, and gives up at once.
    left = NOTHING
    setTimeout(() => void pieces.stop(), heartbeat.idleTimeoutMs).unref()
  }
}
