/** A message of Postgres's protocol: its type byte, and what follows its length. */
export type OnMessage = (type: string, body: Buffer) => void

const NONE = Buffer.alloc(0)

/**
 * Splits a stream into messages.
 * @source https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export class PostgresMessages {
  #rest: Buffer = NONE
  /** A frontend's first message has no type. */
  #untyped: boolean
  readonly #onMessage: OnMessage

  constructor(from: 'frontend' | 'backend', onMessage: OnMessage) {
    this.#untyped = from === 'frontend'
    this.#onMessage = onMessage
  }

  push(chunk: Buffer): void {
    let rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    for (;;) {
      const head = this.#untyped ? 0 : 1
      if (rest.length < head + 4) break
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) break
      const type = this.#untyped ? 'startup' : String.fromCharCode(rest[0] ?? 0)
      this.#untyped = false
      this.#onMessage(type, rest.subarray(head + 4, end))
      rest = rest.subarray(end)
    }
    this.#rest = rest.length > 0 ? Buffer.from(rest) : NONE
  }
}

/** The first `count` zero-terminated texts in a message's body. */
export function textsOf(body: Buffer, count: number): string[] {
  const texts: string[] = []
  let from = 0
  while (texts.length < count) {
    const end = body.indexOf(0, from)
    if (end < 0) break
    texts.push(body.toString('utf8', from, end))
    from = end + 1
  }
  return texts
}
