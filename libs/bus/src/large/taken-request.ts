import { type Operation, subjectOf } from '@callboard/contract'
import { BusFault } from '../fault.ts'
import type { RequestBody } from '../frames.ts'
import { IdleTimeout } from '../heartbeat.ts'
import type { Transport } from '../transport.ts'
import { decode, NOTHING, type WireMessage } from '../wire.ts'
import { BODY_BYTES, ENVELOPE_BYTES, PIECE_AT, PIECE_BYTES } from './frames.ts'

/** Pieces of one request that are fetched at once. */
const AT_ONCE = 2

/** A request accepted by a process, which fetches a large body within its memory budget for such bodies. */
export class TakenRequest {
  readonly #transport: Transport
  readonly #op: Operation
  readonly #message: WireMessage
  #release = () => {}

  constructor(transport: Transport, op: Operation, message: WireMessage) {
    this.#transport = transport
    this.#op = op
    this.#message = message
  }

  /** @throws BusFault overloaded, too_large; reader_lost when the sender fell silent; the signal's reason */
  async read(signal: AbortSignal): Promise<RequestBody> {
    const { headers, payload } = this.#message
    const bytes = headers[BODY_BYTES]
    return decode(bytes === undefined ? payload : await this.#pull(Number(bytes), signal)) as RequestBody
  }

  /** The answer is ready: the request's memory is free. */
  over(): void {
    this.#release()
  }

  async #pull(bytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const most = (this.#op.maxRequestBytes ?? 0) + ENVELOPE_BYTES
    const from = this.#message.reply
    if (from === undefined || !(bytes > 0 && bytes <= most)) throw this.#fault('too_large', 'the request is too large')
    const release = this.#transport.large.budget.take(bytes)
    if (!release) throw this.#fault('overloaded', 'the service has all the large requests it takes')
    this.#release = release
    const body = Buffer.alloc(bytes)
    const failed = new AbortController()
    const ended = AbortSignal.any([signal, failed.signal])
    const offsets = Array.from({ length: Math.ceil(bytes / PIECE_BYTES) }, (_, n) => n * PIECE_BYTES).values()
    const pullNext = async () => {
      for (const at of offsets) {
        const piece = await this.#transport.large.pulls.run(() => this.#piece(from, at, ended))
        if (piece.length !== Math.min(PIECE_BYTES, bytes - at)) throw this.#fault('reader_lost', 'a piece is not whole')
        body.set(piece, at)
      }
    }
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, pullNext))
      return body
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }

  #piece(from: string, at: number, signal: AbortSignal): Promise<Uint8Array> {
    const { wire, heartbeat } = this.#transport
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const lost = () => reject(this.#fault('reader_lost', 'who asks fell silent before its request was whole'))
    const abort = () => reject(signal.reason)
    const inbox = wire.inbox()
    const idle = new IdleTimeout(heartbeat, lost)
    const subscription = wire.subscribe(inbox, undefined, ({ payload, noResponder }) =>
      noResponder ? lost() : resolve(payload),
    )
    if (signal.aborted) abort()
    else wire.publish(from, NOTHING, { [PIECE_AT]: String(at) }, inbox)
    idle.heard()
    signal.addEventListener('abort', abort, { once: true })
    return promise.finally(() => {
      idle.over()
      signal.removeEventListener('abort', abort)
      void subscription.stop()
    })
  }

  #fault(kind: 'overloaded' | 'too_large' | 'reader_lost', message: string): BusFault {
    return new BusFault(kind, subjectOf(this.#op), message)
  }
}
