import { encode, NOTHING, type Wire } from '../wire.ts'
import { LAST, NUMBER } from './frames.ts'

/** So much JSON is joined at most: with what no join makes longer it fits into a message, whatever characters it is made of. */
const JOINED_CHARACTERS = 64 * 1024

/** Sends a message of a stream. */
type Send = (kind: string, payload: Uint8Array, headers: Readonly<Record<string, string>>) => void

/**
 * The chunks of a stream on their way to its reader. Those of one turn of the event loop travel in one message, and the end with the
 * last of them: a whole answer is a single message. A reader of a release before takes one chunk a message.
 */
export class SentChunks {
  readonly #wire: Wire
  readonly #send: Send
  readonly #takesMany: boolean
  #waiting: string[] = []
  #characters = 0
  /** How many have been sent, those that wait among them. */
  count = 0

  constructor(wire: Wire, send: Send, takesMany: boolean) {
    this.#wire = wire
    this.#send = send
    this.#takesMany = takesMany
  }

  add(chunk: unknown): void {
    this.count += 1
    if (this.#takesMany) this.#join(chunk)
    else this.#send('chunk', encode(chunk), { [NUMBER]: String(this.count - 1) })
  }

  #join(chunk: unknown): void {
    const json = JSON.stringify(chunk)
    if (this.#characters + json.length > JOINED_CHARACTERS) this.leave()
    if (this.#waiting.push(json) === 1) this.#wire.endOfTurn(() => this.leave())
    this.#characters += json.length
  }

  /** Sends what waits: whatever else is said to the reader comes after it. */
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
