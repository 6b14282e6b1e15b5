import { NOTHING, type Wire } from '../wire.ts'
import { LAST, NUMBER } from './frames.ts'

/** The most characters joined into one message; a longer chunk is sent alone. */
const JOINED_CHARACTERS = 64 * 1024
/** The most UTF-8 bytes of a UTF-16 unit. */
const MOST_BYTES_OF_A_CHARACTER = 3

/** Sends a message of a stream. */
type Send = (kind: string, payload: Uint8Array, headers: Readonly<Record<string, string>>) => void

/**
 * The chunks of a stream on their way to its reader. Those of one turn of the event loop share a message, and the end
 * comes with the last: a whole answer is one message. Readers of the previous release take one chunk per message.
 */
export class SentChunks {
  readonly #wire: Wire
  readonly #send: Send
  readonly #takesMany: boolean
  #waiting: string[] = []
  #characters = 0
  /** How many were given so far, including those waiting to be sent. */
  count = 0

  constructor(wire: Wire, send: Send, takesMany: boolean) {
    this.#wire = wire
    this.#send = send
    this.#takesMany = takesMany
  }

  /** @throws Error for a chunk that no message can carry; at the end of the turn it would end the process */
  add(chunk: unknown): void {
    const json = JSON.stringify(chunk)
    if (Buffer.byteLength(json) > this.#wire.mostBytes) throw new Error('a chunk is too large')
    if (this.#takesMany) this.#join(json)
    else this.#send('chunk', Buffer.from(json), { [NUMBER]: String(this.count++) })
  }

  #join(json: string): void {
    const most = Math.min(JOINED_CHARACTERS, this.#wire.mostBytes / MOST_BYTES_OF_A_CHARACTER)
    if (this.#characters + json.length > most) this.leave()
    this.count += 1
    if (this.#waiting.push(json) === 1) this.#wire.endOfTurn(() => this.leave())
    this.#characters += json.length
  }

  /** Sends the waiting chunks, so that whatever is sent next comes after them. */
  leave(): void {
    if (this.#waiting.length > 0) this.#leave({})
  }

  end(): void {
    if (this.#waiting.length > 0) this.#leave({ [LAST]: '1' })
    else this.#send('end', NOTHING, { [NUMBER]: String(this.count) })
  }

  #leave(more: Readonly<Record<string, string>>): void {
    const first = this.count - this.#waiting.length
    const payload = Buffer.from(`[${this.#waiting.join(',')}]`)
    this.#waiting = []
    this.#characters = 0
    this.#send('chunks', payload, { [NUMBER]: String(first), ...more })
  }
}
