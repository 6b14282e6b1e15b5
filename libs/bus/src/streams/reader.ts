import { Deadline } from '../deadline.ts'
import { BusFault } from '../fault.ts'
import { heartbeatsOf, IdleTimeout } from '../heartbeat.ts'
import type { Transport } from '../transport.ts'
import { NOTHING, type WireMessage, type WireSubscription } from '../wire.ts'
import { CONTROL, KIND, NUMBER, takesMany, WINDOW } from './frames.ts'
import { SentChunks } from './sent-chunks.ts'

/** What a producer knows about its stream's reader: whether it lives, what it has taken, what certainly arrived. */
export class Reader {
  readonly #transport: Transport
  readonly #subject: string
  readonly #inbox: string
  readonly #control: string
  readonly #controls: WireSubscription
  readonly #beats: NodeJS.Timeout
  readonly #idle: IdleTimeout
  readonly #gone = new AbortController()
  readonly #deadline: Deadline
  /** A reader of the previous release sends no heartbeats and answers no questions. */
  readonly #isHeard: boolean
  readonly #chunks: SentChunks
  #taken = 0
  #asked = 0
  #delivered = 0
  #changed = Promise.withResolvers<void>()
  /** Aborts when the reader is gone, at the deadline, and when the bus closes, which a handler may outlive. */
  readonly signal: AbortSignal

  /** Reports at once, and repeatedly, that the stream has a producer. */
  constructor(transport: Transport, subject: string, { message, inbox, timeoutMs }: ReaderOf) {
    const { wire, heartbeat } = transport
    this.#transport = transport
    this.#subject = subject
    this.#inbox = inbox
    this.#isHeard = heartbeatsOf(message.headers) !== undefined
    this.#chunks = new SentChunks(wire, (...said) => this.#publish(...said), takesMany(message.headers))
    this.#deadline = new Deadline(timeoutMs, this.#gone)
    this.signal = this.#gone.signal
    this.signal.addEventListener('abort', () => this.#change(), { once: true })
    this.#idle = new IdleTimeout(heartbeat, () => this.#lose())
    this.#control = wire.inbox()
    this.#controls = wire.subscribe(this.#control, undefined, (told) => this.#told(told))
    if (this.#isHeard) this.#idle.heard()
    this.send('open', NOTHING, { [CONTROL]: this.#control })
    this.#beats = setInterval(() => this.send('heartbeat'), heartbeat.everyMs)
  }

  /** Sends a message that is not a chunk, after the chunks sent before it. */
  send(kind: string, payload: Uint8Array = NOTHING, more: Readonly<Record<string, string>> = {}): void {
    this.#chunks.leave()
    this.#publish(kind, payload, more)
  }

  /** Sends a chunk once enough earlier ones were taken: a slow reader blocks its producer and does not fill memory. */
  async give(chunk: unknown): Promise<void> {
    await this.#until(() => this.#chunks.count - this.#taken < WINDOW)
    this.#chunks.add(chunk)
  }

  /** There are no more chunks. */
  end(): void {
    this.#chunks.end()
  }

  /** Resolves once the reader has forwarded everything that it was sent. @throws BusFault `reader_lost` when it died */
  async delivered(): Promise<void> {
    this.signal.throwIfAborted()
    if (!this.#isHeard) return
    this.#asked += 1
    const asked = this.#asked
    // With a reply subject the driver reports, long before any timeout, that no process listens to the reader's.
    this.#chunks.leave()
    this.#publish('ask', NOTHING, { [NUMBER]: String(asked) }, this.#control)
    await this.#until(() => this.#delivered >= asked)
  }

  async over(): Promise<void> {
    clearInterval(this.#beats)
    this.#deadline.over()
    this.#idle.over()
    await this.#controls.stop()
  }

  #publish(kind: string, payload: Uint8Array, more: Readonly<Record<string, string>>, reply?: string): void {
    const { wire } = this.#transport
    if (wire.closed) this.#gone.abort(new BusFault('disconnected', this.#subject, 'the bus is closed'))
    else wire.publish(this.#inbox, payload, { [KIND]: kind, ...more }, reply)
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && !this.signal.aborted) {
      const timer = this.#isHeard ? undefined : setTimeout(() => this.#lose(), this.#transport.heartbeat.idleTimeoutMs)
      await this.#changed.promise
      clearTimeout(timer)
    }
    this.signal.throwIfAborted()
  }

  #told({ headers, noResponder }: WireMessage): void {
    if (noResponder) this.#lose()
    else if (this.#isHeard) this.#idle.heard()
    const kind = headers[KIND]
    const number = Number(headers[NUMBER])
    if (kind === 'cancel') this.#gone.abort(new BusFault('cancelled', this.#subject, 'the reader disconnected'))
    if (kind === 'taken') this.#taken = Math.max(this.#taken, number)
    if (kind === 'delivered') this.#delivered = Math.max(this.#delivered, number)
    this.#change()
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  #lose(): void {
    this.#gone.abort(new BusFault('reader_lost', this.#subject, 'the reader fell silent'))
  }
}

interface ReaderOf {
  /** The request. */
  readonly message: WireMessage
  /** The subject on which the reader listens to its producer. */
  readonly inbox: string
  readonly timeoutMs: number
}
