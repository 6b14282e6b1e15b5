import { BusFault, type BusFaultKind } from '../fault.ts'
import { IdleTimeout } from '../heartbeat.ts'
import type { Sent } from '../large/send-request.ts'
import type { Transport } from '../transport.ts'
import { NOTHING, type WireMessage, type WireSubscription } from '../wire.ts'
import { CONTROL, KIND, NUMBER } from './frames.ts'

/** The unread messages of one stream, and the reader's messages to its producer. */
export class Arrivals {
  /** The subject that the producer writes to. */
  readonly inbox: string
  readonly #transport: Transport
  readonly #subject: string
  readonly #subscription: WireSubscription
  readonly #deadline: NodeJS.Timeout
  readonly #idle: IdleTimeout
  readonly #messages: WireMessage[] = []
  #beats: NodeJS.Timeout | undefined
  /** The request, whose pieces the producer may ask for. */
  sent: Sent | undefined
  #control: string | undefined
  #fault: BusFault | undefined
  #hasLeft = false
  #wake = () => {}

  constructor(transport: Transport, subject: string, timeoutMs: number) {
    const { wire, heartbeat } = transport
    this.#transport = transport
    this.#subject = subject
    this.inbox = wire.inbox()
    this.#subscription = wire.subscribe(this.inbox, undefined, (message) => this.#arrived(message))
    this.#deadline = setTimeout(() => this.fail('deadline', `the stream did not end within ${timeoutMs} ms`), timeoutMs)
    this.#idle = new IdleTimeout(heartbeat, () => this.#silent())
    this.#idle.heard()
  }

  /** @throws BusFault once everything that arrived before it is read */
  async next(): Promise<WireMessage> {
    for (;;) {
      const message = this.#messages.shift()
      if (message) return message
      if (this.#fault) throw this.#fault
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      await promise
    }
  }

  /** Tells the producer how many chunks its reader has taken. */
  taken(count: number): void {
    this.#tell('taken', count)
  }

  /** Answers the producer’s question whether everything sent before it arrived. */
  delivered(asked: string | undefined): void {
    this.#tell('delivered', Number(asked))
  }

  /** Ends reading with this fault. */
  fail(kind: BusFaultKind, message: string): void {
    this.#fault ??= new BusFault(kind, this.#subject, message)
    this.leave()
    this.#wake()
  }

  /** The stream is over, or its reader is gone; in that case tells the producer as soon as its subject is known. */
  leave(isOver = false): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    clearTimeout(this.#deadline)
    clearInterval(this.#beats)
    if (!isOver && this.#control === undefined) return
    if (!isOver) this.#tell('cancel')
    this.#end()
  }

  #silent(): void {
    this.fail('lost', 'the producer fell silent')
    this.#end()
  }

  #end(): void {
    this.#idle.over()
    void this.#subscription.stop()
  }

  #arrived(message: WireMessage): void {
    const kind = message.headers[KIND]
    this.#idle.heard()
    if (!this.#hasLeft && this.sent?.gives(message)) return
    if (kind === 'open') this.#opened(message.headers[CONTROL])
    if (this.#hasLeft && message.noResponder) this.#end()
    if (kind === 'open' || kind === 'heartbeat' || this.#hasLeft) return
    this.#messages.push(message)
    this.#wake()
  }

  #opened(control: string | undefined): void {
    this.#control = control
    if (this.#hasLeft) {
      this.#tell('cancel')
      this.#end()
    } else {
      // The reader sends heartbeats while its process lives, whether or not its consumer takes anything.
      this.#beats = setInterval(() => this.#tell('heartbeat'), this.#transport.heartbeat.everyMs).unref()
    }
  }

  #tell(kind: 'taken' | 'delivered' | 'heartbeat' | 'cancel', number?: number): void {
    const { wire } = this.#transport
    // A consumer may still be reading after its process's bus was closed.
    if (this.#control === undefined || wire.closed) return
    wire.publish(this.#control, NOTHING, {
      [KIND]: kind,
      ...(number === undefined ? {} : { [NUMBER]: String(number) }),
    })
  }
}
