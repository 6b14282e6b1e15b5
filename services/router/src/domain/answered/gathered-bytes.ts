/**
 * The longest answer, or event of a streamed one, that is accepted from an upstream; it is read in memory. The last
 * events of a response repeat all of it, with what its client asked it to repeat.
 */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** An answer, or an event, that does not end. */
export class TooLong extends Error {
  override readonly name = 'TooLong'
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
const NOTHING = new Uint8Array()

/** Bytes of an upstream in one piece of memory: they may come in as many pieces as there are bytes. */
export class GatheredBytes {
  #held = NOTHING
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws TooLong */
  add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > MAX_ANSWER_BYTES) throw new TooLong(`longer than ${MAX_ANSWER_BYTES} bytes`)
    if (length > this.#held.length) {
      const room = new Uint8Array(Math.min(2 * length, MAX_ANSWER_BYTES))
      room.set(this.#held.subarray(0, this.#length))
      this.#held = room
    }
    this.#held.set(bytes, this.#length)
    this.#length = length
  }

  /** Takes all of them out, as text. */
  take(): string {
    const text = UTF8.decode(this.#held.subarray(0, this.#length))
    this.#held = NOTHING
    this.#length = 0
    return text
  }
}

/** Reads all of an answer. @throws TooLong */
export async function textOfAnswer(body: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = new GatheredBytes()
  for await (const chunk of body) bytes.add(chunk)
  return bytes.take()
}
