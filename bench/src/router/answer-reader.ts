const HEAD_END = '\r\n\r\n'
/** The end of a chunked body. */
const LAST_CHUNK = '0\r\n\r\n'
/** How much of a body is kept, to quote a refusal. */
const KEPT = 2_048

/** Reads one HTTP/1.1 answer on a connection with one request at a time; everything received belongs to it. */
export class AnswerReader {
  status = 0
  /** The beginning of the body. */
  text = ''
  readonly #onBody: ((piece: Buffer) => void) | undefined
  #head = ''
  #inBody = false
  /** Undefined for a chunked body. */
  #left: number | undefined
  #tail = ''

  constructor(onBody?: (piece: Buffer) => void) {
    this.#onBody = onBody
  }

  /** @returns whether the answer has ended */
  take(piece: Buffer): boolean {
    if (this.#inBody) return this.#takeBody(piece)
    const before = this.#head.length
    this.#head += piece.toString('latin1')
    const end = this.#head.indexOf(HEAD_END)
    if (end < 0) return false
    this.#inBody = true
    this.status = Number(this.#head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))?.[1]
    this.#left = length === undefined ? undefined : Number(length)
    return this.#takeBody(piece.subarray(end + HEAD_END.length - before))
  }

  #takeBody(piece: Buffer): boolean {
    if (piece.length > 0) this.#onBody?.(piece)
    if (this.text.length < KEPT) this.text += piece.toString('latin1')
    if (this.#left !== undefined) {
      this.#left -= piece.length
      return this.#left <= 0
    }
    const tail = this.#tail + piece.toString('latin1', Math.max(0, piece.length - LAST_CHUNK.length))
    this.#tail = tail.slice(-LAST_CHUNK.length)
    return this.#tail === LAST_CHUNK
  }
}
