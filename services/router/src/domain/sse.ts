/** One event of a stream. */
export interface SseFrame {
  /** The event as it came, its blank line included. */
  readonly raw: string
  readonly event: string | undefined
  /** The data lines, joined; undefined for a comment or an event without data. */
  readonly data: string | undefined
}

/** No event of a model is near so long: one that is would be kept in memory for nothing. */
const MAX_FRAME_CHARACTERS = 1024 * 1024

/** An event that does not end. */
export class SseTooLarge extends Error {
  override readonly name = 'SseTooLarge'
}

const END_OF_FRAME = /\r\n\r\n|\n\n|\r\r/g
const LINES = /\r\n|\n|\r/

/**
 * Cuts a byte stream into its events in one pass, and keeps each as it came. Characters and line ends may be split anywhere.
 * @source WHATWG HTML, server-sent events
 */
export class SseScanner {
  readonly #decoder = new TextDecoder()
  #rest = ''

  /** @throws SseTooLarge */
  push(chunk: Uint8Array): SseFrame[] {
    return this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** What is left when the stream is over: an event without its blank line counts, as its client would read it. */
  end(): SseFrame[] {
    const frames = this.#take(this.#decoder.decode())
    const rest = this.#rest
    this.#rest = ''
    return rest.trim() === '' ? frames : [...frames, frameOf(rest)]
  }

  #take(text: string): SseFrame[] {
    const frames: SseFrame[] = []
    const whole = this.#rest + text
    // A blank line may be cut off before its second half; it is looked for again from there.
    END_OF_FRAME.lastIndex = Math.max(0, this.#rest.length - 3)
    let from = 0
    for (let end = END_OF_FRAME.exec(whole); end; end = END_OF_FRAME.exec(whole)) {
      frames.push(frameOf(whole.slice(from, END_OF_FRAME.lastIndex)))
      from = END_OF_FRAME.lastIndex
    }
    this.#rest = whole.slice(from)
    if (this.#rest.length > MAX_FRAME_CHARACTERS)
      throw new SseTooLarge(`an event is longer than ${MAX_FRAME_CHARACTERS} characters`)
    return frames
  }
}

function frameOf(raw: string): SseFrame {
  let event: string | undefined
  const data: string[] = []
  for (const line of raw.split(LINES)) {
    const colon = line.indexOf(':')
    if (colon === 0 || line === '') continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  return { raw, event, data: data.length === 0 ? undefined : data.join('\n') }
}
