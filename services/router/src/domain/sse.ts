import { GatheredBytes } from './answered/gathered-bytes.ts'

/** One event of a stream. */
export interface SseFrame {
  /** The event exactly as received, including its blank line. */
  readonly raw: string
  readonly event: string | undefined
  /** The data lines, joined; undefined for a comment or an event without data. */
  readonly data: string | undefined
}

const LF = 0x0a
const CR = 0x0d
const LINES = /\r\n|\n|\r/
const BYTE_ORDER_MARK = /^\uFEFF/

/**
 * Splits a byte stream into events in one pass and keeps each as received: the frames' `raw` texts together are the
 * stream. Characters and line ends may be split anywhere; an event that ends in CR waits for the next byte, which may
 * be its LF.
 * @source WHATWG HTML, server-sent events
 */
export class SseScanner {
  readonly #held = new GatheredBytes()
  #isLineEmpty = true
  #isAfterCr = false
  /** Whether a CR ended the event's blank line. */
  #isComplete = false

  /** @throws TooLong */
  push(chunk: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = []
    let from = 0
    const cut = (to: number) => {
      frames.push(this.#frame(chunk.subarray(from, to)))
      from = to
    }
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      const isRestOfCrLf = this.#isAfterCr && byte === LF
      this.#isAfterCr = false
      if (this.#isComplete) {
        this.#isComplete = false
        cut(isRestOfCrLf ? at + 1 : at)
      }
      if (isRestOfCrLf) continue
      if (byte === LF && this.#isLineEmpty) cut(at + 1)
      if (byte === CR) {
        this.#isAfterCr = true
        this.#isComplete = this.#isLineEmpty
      }
      this.#isLineEmpty = byte === LF || byte === CR
    }
    this.#held.add(chunk.subarray(from))
    return frames
  }

  /** Returns what is left when the stream is over; an event without its blank line counts, too. */
  end(): SseFrame[] {
    return this.#held.length === 0 ? [] : [this.#frame(new Uint8Array())]
  }

  #frame(last: Uint8Array): SseFrame {
    this.#held.add(last)
    return frameOf(this.#held.take())
  }
}

function frameOf(raw: string): SseFrame {
  let event: string | undefined
  const data: string[] = []
  for (const line of raw.replace(BYTE_ORDER_MARK, '').split(LINES)) {
    const colon = line.indexOf(':')
    if (colon === 0 || line === '') continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return { raw, event, data: data.length === 0 ? undefined : data.join('\n') }
}
