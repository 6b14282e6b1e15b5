const FINAL = 0x80
const OPCODE = 0x0f
const MASKED = 0x80

/**
 * Splits a WebSocket client's data into its messages, for text only and without extensions.
 * @source RFC 6455, section 5.2
 */
export class WebSocketMessages {
  #rest = Buffer.alloc(0)
  #parts: Buffer[] = []
  readonly #onText: (text: string) => void

  constructor(onText: (text: string) => void) {
    this.#onText = onText
  }

  push(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (let used = this.#frame(this.#rest); used > 0; used = this.#frame(this.#rest)) {
      this.#rest = this.#rest.subarray(used)
    }
  }

  /** Parses one frame. @returns its length, 0 when it is incomplete */
  #frame(data: Buffer): number {
    if (data.length < 2) return 0
    const [first = 0, second = 0] = data
    const short = second & ~MASKED
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
    const maskBytes = second & MASKED ? 4 : 0
    const head = 2 + lengthBytes + maskBytes
    if (data.length < head) return 0
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? data.readUInt16BE(2) : Number(data.readBigUInt64BE(2))
    if (data.length < head + length) return 0
    const mask = data.subarray(head - maskBytes, head)
    const payload = data.subarray(head, head + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0))
    if ((first & OPCODE) <= 2) this.#part(Buffer.from(payload), (first & FINAL) !== 0)
    return head + length
  }

  #part(payload: Buffer, final: boolean): void {
    this.#parts.push(payload)
    if (!final) return
    this.#onText(Buffer.concat(this.#parts).toString('utf8'))
    this.#parts = []
  }
}
