import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'

/** Where requests go, and their headers. */
export interface Place {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Moments of one answer, milliseconds after its request was sent. */
export interface Times {
  readonly firstByte: number
  readonly last: number
}

/** A request as sent. */
export function requestBytes({ port, path, headers }: Place, body: string): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** One keep-alive connection that sends a request and waits for the whole answer, with minimal overhead. */
export class Connection {
  readonly #socket: Socket
  #reader = new AnswerReader()
  #waiting: { readonly done: () => void; readonly failed: (error: Error) => void } | undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (piece: Buffer) => {
      if (this.#reader.take(piece)) this.#waiting?.done()
    })
    this.#socket.on('error', (error) => this.#waiting?.failed(error))
    this.#socket.on('close', () => this.#waiting?.failed(new Error('the connection was closed before the answer')))
  }

  /**
   * Sends a request once the previous answer has ended.
   * @param onBody called with each piece of the body, as received
   * @throws Error when the answer is not 200, or none comes
   */
  async ask(request: Buffer, onBody?: (piece: Buffer) => void): Promise<Times> {
    const start = performance.now()
    let firstByte = Number.NaN
    this.#reader = new AnswerReader((piece) => {
      if (Number.isNaN(firstByte)) firstByte = performance.now() - start
      onBody?.(piece)
    })
    const over = new Promise<void>((done, failed) => {
      this.#waiting = { done, failed }
    })
    this.#socket.write(request)
    await over
    this.#waiting = undefined
    const { status, text } = this.#reader
    if (status !== 200) throw new Error(`The answer was ${status}: ${text.slice(0, 500)}`)
    return { firstByte, last: performance.now() - start }
  }

  /** Closes the connection, even during an answer. */
  drop(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }
}
