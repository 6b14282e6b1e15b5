import type { NatsConnection, PublishOptions } from '@nats-io/transport-node'

interface Outgoing {
  readonly subject: string
  readonly payload: Uint8Array
  readonly options: PublishOptions
  /** The most bytes that it has with its headers. */
  readonly most: number
}

/**
 * Lets the messages of one turn of the event loop leave in one write. The client writes as soon as it may, so a process that answers
 * many at once would make a write of each message, and the server a read: most of what such a message costs either of them.
 * A message that comes alone waits for nothing but the rest of its turn.
 */
export class NatsOutbox {
  readonly #connection: NatsConnection
  #waiting: Outgoing[] = []
  #last: (() => void)[] = []
  #isOpen = false

  constructor(connection: NatsConnection) {
    this.#connection = connection
  }

  /** @throws Error for a message that cannot leave, as the client does: the connection is closed, or the server takes none so large */
  publish(message: Outgoing): void {
    if (this.#surelyLeaves(message)) {
      this.#waiting.push(message)
      this.#open()
    } else {
      this.leave()
      this.#send(message)
    }
  }

  /** Calls `work` before the messages of this turn leave. */
  endOfTurn(work: () => void): void {
    this.#last.push(work)
    this.#open()
  }

  /** Sends what waits, now. */
  leave(): void {
    for (const work of this.#last.splice(0)) work()
    const leaving = this.#waiting
    this.#waiting = []
    // Those of a connection that was closed meanwhile, or has a server that takes less, are lost, as all that is under way then.
    for (const message of leaving) if (this.#surelyLeaves(message)) this.#send(message)
  }

  /** Otherwise the client refuses it, or may, and only who publishes it can hear that. */
  #surelyLeaves({ most }: Outgoing): boolean {
    const { info } = this.#connection
    return !this.#connection.isClosed() && (info === undefined || most <= info.max_payload)
  }

  #open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    setImmediate(() => {
      this.#isOpen = false
      this.leave()
    })
  }

  #send({ subject, payload, options }: Outgoing): void {
    this.#connection.publish(subject, payload, options)
  }
}
